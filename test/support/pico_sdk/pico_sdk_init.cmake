# SPDX-License-Identifier: MIT
# Stands in for the pico-sdk: the names that the firmware of examples/integration/pico_sdk uses, on a chip that QEMU has.
set(stand_in "${CMAKE_CURRENT_LIST_DIR}")
get_filename_component(vendor "${stand_in}/../../../examples/integration/vendor" ABSOLUTE)
# A project that includes this file names no toolchain: the SDK knows the compilers.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# What pico_stdlib brings is compiled with the flags of each program, as in the SDK.
macro(pico_sdk_init)
    set(flags "-mcpu=cortex-m0plus -mthumb -Os -g -ffreestanding -ffunction-sections -fdata-sections")
    string(APPEND CMAKE_C_FLAGS " ${flags}")
    string(APPEND CMAKE_CXX_FLAGS " ${flags} -fno-exceptions -fno-unwind-tables -fno-rtti")
    add_library(pico_stdlib INTERFACE)
    target_sources(pico_stdlib INTERFACE "${stand_in}/stdlib.c" "${stand_in}/vectors.c" "${vendor}/startup.c" "${vendor}/chip.c")
    target_include_directories(pico_stdlib INTERFACE "${stand_in}" "${vendor}")
    target_link_options(pico_stdlib INTERFACE -nostdlib -Wl,--gc-sections -Wl,--fatal-warnings -T "${vendor}/chip.ld")
    target_link_libraries(pico_stdlib INTERFACE gcc)
    # All that it does here is that vectors.c sees this name.
    add_library(cmsis_core INTERFACE)
    target_compile_definitions(cmsis_core INTERFACE LIB_CMSIS_CORE=1)
endmacro()

function(pico_add_extra_outputs target)
    set_target_properties(${target} PROPERTIES SUFFIX .elf)
endfunction()
