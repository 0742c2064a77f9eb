// SPDX-License-Identifier: MIT
/// @file
/// A file of the PC that runs the emulator or the debugger: "Semihosting for AArch32 and AArch64", SYS_OPEN,
/// SYS_WRITE.
#ifndef TICKWHEEL_SEMIHOSTING_FILE_HPP
#define TICKWHEEL_SEMIHOSTING_FILE_HPP

#include <stdint.h>

namespace tickwheel
{

/// A new file. Without a debugger the first call is a fault.
class semihosting_file {
public:
    /// Makes the file `name`, of `length` characters.
    void open(const char *name, uint32_t length)
    {
        constexpr uintptr_t sys_open = 1;
        constexpr uintptr_t write_binary = 5;
        const uintptr_t block[] = {reinterpret_cast<uintptr_t>(name), write_binary, length};
        handle = call(sys_open, block);
    }
    /// Appends to the file.
    void write(const void *bytes, uint32_t size) const
    {
        constexpr uintptr_t sys_write = 5;
        const uintptr_t block[] = {handle, reinterpret_cast<uintptr_t>(bytes), size};
        (void)call(sys_write, block);
    }

private:
    static uintptr_t call(uintptr_t operation, const uintptr_t *block)
    {
        register uintptr_t r0 __asm__("r0") = operation;
        register const uintptr_t *r1 __asm__("r1") = block;
        __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
        return r0;
    }

    uintptr_t handle = 0;
};

} // namespace tickwheel

#endif
