//! The part of Z3's C interface that is used, the same in all versions from 4.8 on.

use super::LoadError;
use libloading::Library;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::path::PathBuf;

/// Handles of Z3 are opaque pointers.
pub(super) type Handle = *mut c_void;

macro_rules! functions {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// Functions of the library by their names there.
        #[allow(non_snake_case, reason = "these are the names in Z3's interface")]
        pub(super) struct Api {
            $(pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            /// Keeps the functions in place.
            _library: Library,
        }

        impl Api {
            fn bind(library: Library) -> Result<Api, LoadError> {
                Ok(Api {
                    $($name: {
                        let name = stringify!($name);
                        // SAFETY: the type is that of the function in z3_api.h.
                        let symbol = unsafe {
                            library.get::<unsafe extern "C" fn($($argument),*) $(-> $result)?>(name)
                        };
                        *symbol.map_err(|_| LoadError::Incomplete(name.to_string()))?
                    },)*
                    _library: library,
                })
            }
        }
    };
}

functions! {
    Z3_get_full_version: fn() -> *const c_char;
    Z3_mk_config: fn() -> Handle;
    Z3_del_config: fn(Handle);
    Z3_mk_context: fn(Handle) -> Handle;
    Z3_del_context: fn(Handle);
    Z3_set_error_handler: fn(Handle, Option<unsafe extern "C" fn(Handle, c_int)>);
    Z3_get_error_code: fn(Handle) -> c_int;

    Z3_mk_int_symbol: fn(Handle, c_int) -> Handle;
    Z3_mk_string_symbol: fn(Handle, *const c_char) -> Handle;
    Z3_mk_bool_sort: fn(Handle) -> Handle;
    Z3_mk_bv_sort: fn(Handle, c_uint) -> Handle;
    Z3_mk_const: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_unsigned_int64: fn(Handle, u64, Handle) -> Handle;
    Z3_mk_true: fn(Handle) -> Handle;
    Z3_mk_false: fn(Handle) -> Handle;

    Z3_mk_not: fn(Handle, Handle) -> Handle;
    Z3_mk_and: fn(Handle, c_uint, *const Handle) -> Handle;
    Z3_mk_or: fn(Handle, c_uint, *const Handle) -> Handle;
    Z3_mk_xor: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_implies: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_ite: fn(Handle, Handle, Handle, Handle) -> Handle;
    Z3_mk_eq: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_bvnot: fn(Handle, Handle) -> Handle;
    Z3_mk_bvneg: fn(Handle, Handle) -> Handle;
    Z3_mk_bvand: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_bvor: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_bvxor: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_bvadd: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_bvsub: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_bvmul: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_bvudiv: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_bvurem: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_bvsdiv: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_bvsrem: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_bvshl: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_bvlshr: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_bvashr: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_bvult: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_bvule: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_bvslt: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_bvsle: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_concat: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_extract: fn(Handle, c_uint, c_uint, Handle) -> Handle;
    Z3_mk_zero_ext: fn(Handle, c_uint, Handle) -> Handle;
    Z3_mk_sign_ext: fn(Handle, c_uint, Handle) -> Handle;

    Z3_mk_fpa_sort: fn(Handle, c_uint, c_uint) -> Handle;
    Z3_mk_fpa_rne: fn(Handle) -> Handle;
    Z3_mk_fpa_rna: fn(Handle) -> Handle;
    Z3_mk_fpa_rtp: fn(Handle) -> Handle;
    Z3_mk_fpa_rtn: fn(Handle) -> Handle;
    Z3_mk_fpa_rtz: fn(Handle) -> Handle;
    Z3_mk_fpa_to_fp_bv: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_fpa_to_fp_float: fn(Handle, Handle, Handle, Handle) -> Handle;
    Z3_mk_fpa_to_fp_signed: fn(Handle, Handle, Handle, Handle) -> Handle;
    Z3_mk_fpa_to_fp_unsigned: fn(Handle, Handle, Handle, Handle) -> Handle;
    Z3_mk_fpa_to_sbv: fn(Handle, Handle, Handle, c_uint) -> Handle;
    Z3_mk_fpa_to_ieee_bv: fn(Handle, Handle) -> Handle;
    Z3_mk_fpa_is_nan: fn(Handle, Handle) -> Handle;
    Z3_mk_fpa_eq: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_fpa_lt: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_fpa_leq: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_fpa_add: fn(Handle, Handle, Handle, Handle) -> Handle;
    Z3_mk_fpa_sub: fn(Handle, Handle, Handle, Handle) -> Handle;
    Z3_mk_fpa_mul: fn(Handle, Handle, Handle, Handle) -> Handle;
    Z3_mk_fpa_div: fn(Handle, Handle, Handle, Handle) -> Handle;
    Z3_mk_fpa_sqrt: fn(Handle, Handle, Handle) -> Handle;
    Z3_mk_fpa_round_to_integral: fn(Handle, Handle, Handle) -> Handle;

    Z3_mk_solver: fn(Handle) -> Handle;
    Z3_solver_inc_ref: fn(Handle, Handle);
    Z3_solver_dec_ref: fn(Handle, Handle);
    Z3_mk_params: fn(Handle) -> Handle;
    Z3_params_inc_ref: fn(Handle, Handle);
    Z3_params_dec_ref: fn(Handle, Handle);
    Z3_params_set_uint: fn(Handle, Handle, Handle, c_uint);
    Z3_solver_set_params: fn(Handle, Handle, Handle);
    Z3_solver_assert: fn(Handle, Handle, Handle);
    Z3_solver_check: fn(Handle, Handle) -> c_int;
    Z3_solver_check_assumptions: fn(Handle, Handle, c_uint, *const Handle) -> c_int;
    Z3_solver_get_unsat_core: fn(Handle, Handle) -> Handle;
    Z3_ast_vector_inc_ref: fn(Handle, Handle);
    Z3_ast_vector_dec_ref: fn(Handle, Handle);
    Z3_ast_vector_size: fn(Handle, Handle) -> c_uint;
    Z3_ast_vector_get: fn(Handle, Handle, c_uint) -> Handle;
    Z3_get_ast_id: fn(Handle, Handle) -> c_uint;
    Z3_solver_get_model: fn(Handle, Handle) -> Handle;
    Z3_model_inc_ref: fn(Handle, Handle);
    Z3_model_dec_ref: fn(Handle, Handle);
    Z3_model_eval: fn(Handle, Handle, Handle, bool, *mut Handle) -> bool;
    Z3_get_numeral_uint64: fn(Handle, Handle, *mut u64) -> bool;
    Z3_get_bool_value: fn(Handle, Handle) -> c_int;
}

impl Api {
    pub fn load() -> Result<Api, LoadError> {
        Api::bind(find()?)
    }

    pub fn version(&self) -> String {
        // SAFETY: a constant string of the library.
        let version = unsafe { std::ffi::CStr::from_ptr((self.Z3_get_full_version)()) };
        version.to_string_lossy().into_owned()
    }
}

/// The library, wherever it is.
pub(super) fn find() -> Result<Library, LoadError> {
    let chosen = std::env::var_os("ELSEWISE_LIBZ3").map(PathBuf::from);
    let places = match chosen {
        Some(place) => vec![place],
        None => ["libz3.so", "libz3.so.4", "libz3.so.5", "libz3.dylib"]
            .map(PathBuf::from)
            .to_vec(),
    };
    let mut last = String::new();
    for place in places {
        // SAFETY: loading runs the library's initialisers; it is the one that the user or the
        // system names as Z3.
        match unsafe { Library::new(&place) } {
            Ok(library) => return Ok(library),
            Err(error) => last = error.to_string(),
        }
    }
    Err(LoadError::NotFound(last))
}
