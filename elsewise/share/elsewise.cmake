# CMake toolchain file: builds a project with Elsewise's compilers, as found on the path.
#
#     cmake --toolchain elsewise.cmake -B build && cmake --build build

find_program(ELSEWISE_CC elsewise-cc REQUIRED)
find_program(ELSEWISE_CXX elsewise-cxx REQUIRED)

set(CMAKE_C_COMPILER "${ELSEWISE_CC}")
set(CMAKE_CXX_COMPILER "${ELSEWISE_CXX}")
# Subjects are position-independent, so what a program is made of must be so from the beginning.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
