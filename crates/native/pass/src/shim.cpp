// What the C interface of LLVM does not offer: registering a pass, choosing the optimiser's passes,
// leaving out what nobody needs, turning branches around, splitting blocks and edges, the bits of constants, the cases of switches, data before
// functions, and the lists of constructors and of kept globals. Everything else is in Rust. It is compiled for each release of LLVM that subjects can be
// built with, from 18 on; where they differ, that is said.
#include "llvm-c/Core.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Coroutines/CoroCleanup.h"
#include "llvm/Transforms/Coroutines/CoroConditionalWrapper.h"
#include "llvm/Transforms/Coroutines/CoroEarly.h"
#include "llvm/Transforms/Coroutines/CoroSplit.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

extern "C" void elw_instrument_module(LLVMModuleRef module, bool simple);
extern "C" bool elw_has_threads(LLVMModuleRef module);

namespace {
// A generated harness includes a whole file to call one function of it, and says in `elw_offered`
// which symbols others need, each with a space before and behind it. What is neither among them nor
// used by them is not worth being instrumented.
struct OnlyNeeded : PassInfoMixin<OnlyNeeded> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses)
    {
        GlobalVariable *offered = module.getNamedGlobal("elw_offered");
        auto *names = offered && offered->hasInitializer()
            ? dyn_cast<ConstantDataArray>(offered->getInitializer())
            : nullptr;
        if (!names || !names->isString())
            return PreservedAnalyses::all();
        std::string all = names->getAsString().str();
        InternalizePass([&](const GlobalValue &value) {
            return all.find(" " + value.getName().str() + " ") != std::string::npos;
        }).run(module, analyses);
        GlobalDCEPass().run(module, analyses);
        return PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }
};

// A division by zero and a read through a wild pointer fail in the plain build, whether anybody uses what
// comes of them or not. Optimisers remove what nobody uses: until instrumented, it is said to be used.
struct KeepWhatMayFail : PassInfoMixin<KeepWhatMayFail> {
    // The function that is said to use values. (`llvm.fake.use` would do, but LLVM 18 and 19 do not have it.)
    static constexpr StringLiteral Use = "__elw_fake_use";

    PreservedAnalyses run(Module &module, ModuleAnalysisManager &)
    {
        Function *use = nullptr;
        for (Function &function : module)
            for (BasicBlock &block : function)
                for (Instruction &instruction : make_early_inc_range(block)) {
                    if (!mayFail(instruction))
                        continue;
                    if (!use)
                        use = declared(module);
                    CallInst::Create(use, {&instruction})->insertInto(&block, std::next(instruction.getIterator()));
                }
        return PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }

    static Function *declared(Module &module)
    {
        LLVMContext &context = module.getContext();
        auto *type = FunctionType::get(Type::getVoidTy(context), true);
        auto *use = Function::Create(type, GlobalValue::ExternalLinkage, Use, module);
        for (auto attribute : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync, Attribute::NoCallback})
            use->addFnAttr(attribute);
        use->setOnlyAccessesInaccessibleMemory();
        return use;
    }

    static bool mayFail(const Instruction &instruction)
    {
        if (auto *load = dyn_cast<LoadInst>(&instruction))
            return load->isSimple() && !isa<AllocaInst>(load->getPointerOperand());
        return instruction.isIntDivRem() && !isa<Constant>(instruction.getOperand(1));
    }
};

// The other end of `KeepWhatMayFail`. Nobody removes a division that is instrumented.
void keepWithoutUse(Module &module)
{
    Function *use = module.getFunction(KeepWhatMayFail::Use);
    if (!use)
        return;
    for (User *user : make_early_inc_range(use->users())) {
        auto *call = cast<CallInst>(user);
        auto *load = dyn_cast<LoadInst>(call->getArgOperand(0));
        if (load && load->hasOneUse())
            load->setVolatile(true);
        call->eraseFromParent();
    }
    use->eraseFromParent();
}

// Says where a debugger would find a variable.
void dropDebugging(BasicBlock &block)
{
    for (Instruction &instruction : make_early_inc_range(block)) {
#if LLVM_VERSION_MAJOR < 19
        if (isa<DbgInfoIntrinsic>(instruction))
            instruction.eraseFromParent();
#else
        instruction.dropDbgRecords();
#endif
    }
}

bool begins(const BasicBlock *block, std::initializer_list<StringRef> names)
{
    return any_of(names, [&](StringRef name) { return block->getName().starts_with(name); });
}

// For `if (!x)` clang branches on `x`, with the ways out exchanged: the names that it gives to blocks
// tell. The first way out becomes the one for which the condition in the source holds, since that is
// what people are told of it.
void orient(BranchInst &branch)
{
    bool turned = begins(branch.getSuccessor(1), {"if.then", "cond.true", "land.lhs.true", "land.rhs"})
        || begins(branch.getSuccessor(0), {"lor.lhs.false", "lor.rhs", "cond.false"});
    bool straight = begins(branch.getSuccessor(0), {"if.then", "cond.true", "land.lhs.true", "land.rhs"});
    if (!turned || straight)
        return;
    auto *compare = dyn_cast<CmpInst>(branch.getCondition());
    if (compare && compare->hasOneUse())
        compare->setPredicate(compare->getInversePredicate());
    else {
        Instruction *inverse = BinaryOperator::CreateNot(branch.getCondition());
        inverse->insertInto(branch.getParent(), branch.getIterator());
        inverse->setDebugLoc(branch.getDebugLoc());
        branch.setCondition(inverse);
    }
    branch.swapSuccessors();
}

// A value of which optimisers know nothing.
Value *opaque(Value *value, Instruction &before)
{
    auto *type = FunctionType::get(value->getType(), {value->getType()}, false);
    return CallInst::Create(InlineAsm::get(type, "", "=r,0", false), {value}, "", before.getIterator());
}

// What the processor refuses stays in the program: optimisers take a division by a zero that they know for something that
// never happens, and remove it with all that leads there.
void keepDivision(BinaryOperator &division)
{
    auto *number = dyn_cast<ConstantInt>(division.getOperand(1));
    if (!division.getType()->isIntegerTy() || division.getType()->getIntegerBitWidth() > 64
        || (number && !number->isZero() && !number->isMinusOne()))
        return;
    division.setOperand(1, opaque(division.getOperand(1), division));
    auto *type = FunctionType::get(Type::getVoidTy(division.getContext()), {division.getType()}, false);
    CallInst::Create(InlineAsm::get(type, "", "r", true), {&division}, "", std::next(division.getIterator()));
}

// An address that is not known is one, as in a program that is not optimised.
void keepAddress(Instruction &instruction)
{
    for (Use &operand : instruction.operands()) {
        bool address = operand.get()->getType()->isPointerTy() && isa<UndefValue>(operand.get());
        auto *call = dyn_cast<CallBase>(&instruction);
        bool used = isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(instruction)
            ? &operand == &instruction.getOperandUse(isa<StoreInst>(instruction) ? 1 : 0)
            : call && call->isCallee(&operand);
        if (address && used)
            operand.set(new FreezeInst(operand.get(), "", instruction.getIterator()));
    }
}

// What instrumented code does is the same whatever is optimised later.
void settle(Instruction &instruction)
{
    // Where a program ends is told by the line of the call: two calls of `abort` stay two.
    if (auto *call = dyn_cast<CallBase>(&instruction); call && call->doesNotReturn())
        call->addFnAttr(Attribute::NoMerge);
    // Numbers that are too large wrap, as labels have it, and no choice is removed because they cannot be. What the
    // plain program does is asked for wherever that happens.
    if (isa<OverflowingBinaryOperator>(instruction)) {
        instruction.setHasNoSignedWrap(false);
        instruction.setHasNoUnsignedWrap(false);
    } else if (auto *absolute = dyn_cast<IntrinsicInst>(&instruction);
               absolute && absolute->getIntrinsicID() == Intrinsic::abs) {
        absolute->setArgOperand(1, ConstantInt::getFalse(instruction.getContext()));
    }
    keepAddress(instruction);
    if (instruction.isIntDivRem())
        keepDivision(cast<BinaryOperator>(instruction));
}

struct ElsewisePass : PassInfoMixin<ElsewisePass> {
    // Whether the code generator is to be quick rather than good.
    bool simple;

    explicit ElsewisePass(bool simple) : simple(simple) {}

    PreservedAnalyses run(Module &module, ModuleAnalysisManager &)
    {
        keepWithoutUse(module);
        for (Function &function : module)
            for (BasicBlock &block : function) {
                auto *branch = dyn_cast_or_null<BranchInst>(block.getTerminator());
                if (branch && branch->isConditional())
                    orient(*branch);
            }
        // Where a debugger would find variables is much of what the code generator keeps track of.
        // Only runs of several threads are debugged in the instrumented program.
        if (!elw_has_threads(wrap(&module))) {
            for (Function &function : module)
                for (BasicBlock &block : function)
                    dropDebugging(block);
        }
        elw_instrument_module(wrap(&module), simple);
        for (Function &function : module) {
            if (function.isDeclaration())
                continue;
            // A null pointer that is followed fails, and is not what never happens.
            function.addFnAttr(Attribute::NullPointerIsValid);
            for (BasicBlock &block : function)
                for (Instruction &instruction : make_early_inc_range(block))
                    settle(instruction);
        }
        return PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }
};

// Marks a function that was given `noinline` here.
constexpr StringLiteral Inlinable = "elsewise-inlinable";

// Instrumented code is large, and what optimisers look for is not in it: the few passes that pay
// were run. Until the code generator comes, which is to do its best, functions are closed to others.
struct CloseToOptimiser : PassInfoMixin<CloseToOptimiser> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &)
    {
        for (Function &function : module) {
            if (function.isDeclaration() || function.hasFnAttribute(Attribute::AlwaysInline)
                || function.hasFnAttribute(Attribute::OptimizeNone))
                continue;
            if (!function.hasFnAttribute(Attribute::NoInline))
                function.addFnAttr(Inlinable);
            function.addFnAttr(Closed);
            function.addFnAttr(Attribute::NoInline);
            function.addFnAttr(Attribute::OptimizeNone);
        }
        return PreservedAnalyses::all();
    }
    static bool isRequired() { return true; }
    static constexpr StringLiteral Closed = "elsewise-closed";
};

struct OpenToCodeGenerator : PassInfoMixin<OpenToCodeGenerator> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &)
    {
        for (Function &function : module) {
            if (!function.hasFnAttribute(CloseToOptimiser::Closed))
                continue;
            function.removeFnAttr(Attribute::OptimizeNone);
            if (function.hasFnAttribute(Inlinable))
                function.removeFnAttr(Attribute::NoInline);
        }
        return PreservedAnalyses::all();
    }
    static bool isRequired() { return true; }
};

// Coroutines become ordinary functions and a frame in memory first: labels are kept where their variables are.
ModulePassManager coroutines()
{
    ModulePassManager passes;
    passes.addPass(CoroEarlyPass());
    passes.addPass(createModuleToPostOrderCGSCCPassAdaptor(CoroSplitPass()));
    passes.addPass(CoroCleanupPass());
    return passes;
}

FunctionPassManager simplification()
{
    FunctionPassManager passes;
    passes.addPass(EarlyCSEPass());
    passes.addPass(SimplifyCFGPass());
    return passes;
}
} // namespace

extern "C" void elw_register_callbacks(void *builder)
{
    auto *passes_of_clang = static_cast<PassBuilder *>(builder);
    // Since LLVM 20 there is a third argument.
    passes_of_clang->registerOptimizerLastEPCallback(
        [](ModulePassManager &passes, OptimizationLevel, auto...) { passes.addPass(OpenToCodeGenerator()); });
    passes_of_clang->registerPipelineStartEPCallback(
        [](ModulePassManager &passes, OptimizationLevel level) {
            passes.addPass(OnlyNeeded());
            passes.addPass(CoroConditionalWrapper(coroutines()));
            passes.addPass(KeepWhatMayFail());
            // Variables in registers first, so that labels are values too; nothing that merges or
            // removes branches.
            passes.addPass(createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::PreserveCFG)));
            // Labels belong to the elements of a vector.
            ScalarizerPassOptions scalars;
            scalars.ScalarizeLoadStore = true;
            passes.addPass(createModuleToFunctionPassAdaptor(ScalarizerPass(scalars)));
            passes.addPass(ElsewisePass(level == OptimizationLevel::O0));
            passes.addPass(createModuleToFunctionPassAdaptor(simplification()));
            if (level == OptimizationLevel::O0)
                return;
            ModuleInlinerWrapperPass inliner(getInlineParams());
            inliner.getPM().addPass(createCGSCCToFunctionPassAdaptor(simplification()));
            passes.addPass(std::move(inliner));
            passes.addPass(CloseToOptimiser());
        });
}

// The block from `before` on; the old block ends in a jump to it.
extern "C" LLVMBasicBlockRef elw_split_block(LLVMValueRef before)
{
    Instruction *instruction = unwrap<Instruction>(before);
    return wrap(instruction->getParent()->splitBasicBlock(instruction->getIterator()));
}

// An empty block on the edge to successor `index` (a jump is put at its end).
extern "C" LLVMBasicBlockRef elw_split_edge(LLVMValueRef terminator, unsigned index)
{
    Instruction *instruction = unwrap<Instruction>(terminator);
    BasicBlock *from = instruction->getParent();
    BasicBlock *to = instruction->getSuccessor(index);
    BasicBlock *middle =
        BasicBlock::Create(from->getContext(), "", from->getParent(), from->getNextNode());
    BranchInst::Create(to, middle);
    instruction->setSuccessor(index, middle);
    for (PHINode &phi : to->phis()) {
        int entry = phi.getBasicBlockIndex(from);
        if (entry >= 0) // phis of labels are filled in last
            phi.setIncomingBlock(entry, middle);
    }
    return wrap(middle);
}

// The number of a case of a switch; the first behind the default has index 1.
extern "C" LLVMValueRef elw_switch_case(LLVMValueRef terminator, unsigned index)
{
    SwitchInst *instruction = unwrap<SwitchInst>(terminator);
    return wrap((instruction->case_begin() + (index - 1))->getCaseValue());
}

// A constant array of bytes, without a NUL at its end. (LLVM 18 takes no more than 4 GiB by its C interface, and offers
// nothing for prefix data.)
extern "C" LLVMValueRef elw_bytes(LLVMContextRef context, const char *bytes, size_t length)
{
    return wrap(ConstantDataArray::getString(*unwrap(context), StringRef(bytes, length), false));
}

extern "C" void elw_put_before(LLVMValueRef function, LLVMValueRef constant)
{
    Function *whose = unwrap<Function>(function);
    if (!whose->hasPrefixData())
        whose->setPrefixData(unwrap<Constant>(constant));
}

extern "C" void elw_add_constructor(LLVMModuleRef module, LLVMValueRef function)
{
    // Before every constructor of the program (those below 101 are the implementation's).
    appendToGlobalCtors(*unwrap(module), unwrap<Function>(function), 1);
}

extern "C" void elw_keep(LLVMModuleRef module, LLVMValueRef global)
{
    appendToUsed(*unwrap(module), {unwrap<GlobalValue>(global)});
}

// Words of a number, least significant first, as far as there is room; how many bits it has, or 0 where
// it is none.
extern "C" unsigned elw_constant_words(LLVMValueRef value, uint64_t *words, unsigned room)
{
    APInt bits;
    if (auto *number = dyn_cast<ConstantInt>(unwrap(value)))
        bits = number->getValue();
    else if (auto *number = dyn_cast<ConstantFP>(unwrap(value)))
        bits = number->getValueAPF().bitcastToAPInt();
    else
        return 0;
    for (unsigned index = 0; index < bits.getNumWords() && index < room; index++)
        words[index] = bits.getRawData()[index];
    return bits.getBitWidth();
}

// Bytes of an array of numbers as they lie in memory; null where the value is something else.
extern "C" const char *elw_raw_data(LLVMValueRef value, size_t *length)
{
    auto *data = dyn_cast<ConstantDataSequential>(unwrap(value));
    if (!data)
        return nullptr;
    *length = data->getRawDataValues().size();
    return data->getRawDataValues().data();
}
