# SPDX-License-Identifier: MIT
# A firmware's own part: start-up code, board and linker script. Here they are those of
# tickwheel's examples.
get_filename_component(tree "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

# A program: main.cpp, the file that starts the ticks, and a board.
function(add_firmware name ticks board)
    file(GLOB of_board "${tree}/boards/startup/*.cpp" "${tree}/boards/${board}/*.cpp")
    add_executable(${name} main.cpp ${ticks} ${of_board})
    set_target_properties(${name} PROPERTIES SUFFIX .elf)
    target_compile_options(${name} PRIVATE -Os -g -Wall -Wextra -Werror -ffreestanding -fno-exceptions -fno-unwind-tables
        -fno-rtti -fno-threadsafe-statics -ffunction-sections -fdata-sections)
    target_link_options(${name} PRIVATE -nostdlib -nostartfiles -Wl,--gc-sections -Wl,--fatal-warnings
        "-L${tree}" -T "${tree}/linker/${board}.ld")
    target_link_libraries(${name} PRIVATE gcc)
endfunction()
