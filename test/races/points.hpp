// SPDX-License-Identifier: MIT
// The default wheel with a lock and a storage that tell the test of each point at which an interrupt may matter:
// right before the lock is closed, right after it has been opened, and where a word of the wheel is touched with the
// lock open.
#pragma once

#include "calls.hpp"
#include <tickwheel/default_wheel.hpp>

namespace races
{

/// How often the lock is closed.
inline uint32_t depth;

// A test defines these three.
/// The lock is about to be closed, or has just been opened.
void point();
/// The lock has just been closed.
void step();
/// A word of the wheel is about to be touched with the lock open.
void touch();

struct watched_lock {
    static uint32_t irq_save()
    {
        if (depth == 0) {
            point();
        }
        const uint32_t before = depth++;
        if (before == 0) {
            step();
        }
        return before;
    }
    static void irq_restore(uint32_t before)
    {
        depth = before;
        if (before == 0) {
            point();
        }
    }
    static void irq_mask_all()
    {
        (void)irq_save();
    }
    static void interrupt_window(uint32_t before)
    {
        irq_restore(before);
        depth = before + 1;
        if (before == 0) {
            step();
        }
    }
};

struct watched_storage {
    static tickwheel::clock_of<tickwheel::default_geometry> &clock()
    {
        if (depth == 0) {
            touch();
        }
        return tickwheel_clock;
    }
    static tickwheel::slots_of<tickwheel::default_geometry> &slots()
    {
        if (depth == 0) {
            touch();
        }
        return tickwheel_slots;
    }
};

inline tickwheel::wheel<watched_lock, tickwheel::default_geometry, watched_storage> watched_wheel;

} // namespace races
