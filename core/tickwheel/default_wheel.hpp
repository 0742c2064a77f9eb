// SPDX-License-Identifier: MIT
// The wheel behind the C face, for the source files of core/. Only they and this file know the port.
#ifndef TICKWHEEL_DEFAULT_WHEEL_HPP
#define TICKWHEEL_DEFAULT_WHEEL_HPP

#include <tickwheel/port.hpp>
#include <tickwheel/wheel.hpp>

// Half a trace is none: each source of the library is compiled with the same hooks.
TICKWHEEL_ASK_FOR(TICKWHEEL_BUILT_FOR_HOOKS);

// The runner jumps over empty blocks. Only tickwheel_advance() passes many at once, so only its callers need the
// jump: its search is defined beside tickwheel_advance(). This declaration is weak. It does not make the linker take
// that object from the archive. Without the object the address is null, and the runner goes on block by block.
// Formats other than ELF have no such declaration. There every program takes both.
extern "C" {
#if defined(__ELF__)
[[gnu::weak]]
#endif
jiffies_t
tickwheel_jump_();
}

// Each source file has a wheel of its own type, so that a compiler may inline all of it.
// NOLINTNEXTLINE(cert-dcl59-cpp)
namespace
{

struct default_storage {
    static tickwheel::wheel_clock &clock()
    {
        return tickwheel_clock;
    }
    static tickwheel::wheel_slots<tickwheel::default_geometry> &lists()
    {
        return tickwheel_slots;
    }
    static jiffies_t jump()
    {
#if defined(__ELF__)
        if (&tickwheel_jump_ == nullptr) {
            return 0;
        }
#endif
        return tickwheel_jump_();
    }
};

// Empty: all of it lies in the two objects of tickwheel.cpp.
[[maybe_unused]] tickwheel::wheel<tickwheel::port_lock, tickwheel::default_geometry, default_storage,
                                  tickwheel::program_hooks>
    wheel;

} // namespace

#endif
