# Homebrew, on Linux: installs the tarball of a release. `cargo xtask dist` fills in what stands between `@`.
class Elsewise < Formula
  desc "Concolic tester for C, C++, Erlang, Prolog and state machines"
  homepage "https://github.com/OWNER/elsewise"
  url "@URL@/elsewise-@VERSION@-x86_64-linux.tar.gz"
  version "@VERSION@"
  sha256 "@SHA256@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on arch: :x86_64
  depends_on :linux
  # The newest release of LLVM that there is a pass for and a formula with a number of its own.
  depends_on "lld@21"
  depends_on "llvm@21"

  def install
    bin.install Dir["bin/*"]
    include.install Dir["include/*"]
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/elsewise"
    zsh_completion.install "share/zsh/vendor-completions/_elsewise"
    fish_completion.install "share/fish/vendor_completions.d/elsewise.fish"
    pkgshare.install Dir["share/elsewise/*"]
    doc.install Dir["share/doc/elsewise/*"]
  end

  test do
    (testpath/"subject.c").write <<~C
      #include <assert.h>
      #include <unistd.h>
      int main(void) { char c = 0; (void)!read(0, &c, 1); assert(c != 'e'); return 0; }
    C
    system bin/"elsewise", "doctor"
    # A finding is exit code 2.
    shell_output("#{bin}/elsewise explore subject.c --input-size 1 --quiet", 2)
  end
end
