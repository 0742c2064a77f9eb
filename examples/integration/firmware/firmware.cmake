# SPDX-License-Identifier: MIT
# What a firmware has of its own, whatever libraries it uses: here the start-up code, the
# board and the linker script are those of tickwheel's examples.
get_filename_component(tree "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

# A program of main.cpp, of the file that starts the ticks, and of a board.
function(add_firmware name ticks board)
    file(GLOB of_board "${tree}/boards/startup/*.cpp" "${tree}/boards/${board}/*.cpp")
    add_executable(${name} "${tree}/examples/integration/firmware/main.cpp"
        "${tree}/examples/integration/firmware/${ticks}" ${of_board})
    set_target_properties(${name} PROPERTIES SUFFIX .elf)
    target_compile_options(${name} PRIVATE -Os -g -Wall -Wextra -Werror -ffreestanding -fno-exceptions -fno-unwind-tables
        -fno-rtti -fno-threadsafe-statics -ffunction-sections -fdata-sections)
    target_link_options(${name} PRIVATE -nostdlib -nostartfiles -Wl,--gc-sections -Wl,--fatal-warnings
        "-L${tree}" -T "${tree}/linker/${board}.ld")
    target_link_libraries(${name} PRIVATE gcc)
endfunction()
