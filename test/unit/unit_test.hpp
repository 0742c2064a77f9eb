// SPDX-License-Identifier: MIT
// One set of tests for the PC and for the boards. On the PC this is doctest; on
// a board it is the few lines below, which need no libc, no heap and no
// constructors: doctest takes 370 KiB of flash and a hosted C++ library, so it
// fits few boards and could not run before the library is trusted.
//
// Tests use TEST_CASE, CHECK, CHECK_EQ and REQUIRE, and no other macro of
// doctest's: every one more would have to be written twice and mean the same.
// A REQUIRE that fails ends its test case on the PC and the whole run on a board,
// where nothing can be unwound.
#pragma once

#include <stdint.h>

#include <tickwheel/tickwheel.h>

namespace unit
{

/// A tick, and where it was counted from: what a loop over many of them compares, so that a failure says which.
struct moment {
    jiffies_t start;
    jiffies_t delta;
    jiffies_t tick;

    friend bool operator==(const moment &a, const moment &b)
    {
        return a.start == b.start && a.delta == b.delta && a.tick == b.tick;
    }
};

/// Reads the wheel before any test has started it, then drives a static timer on it. Test cases come in any order, so
/// main() calls this first.
void look_before_main();

} // namespace unit

#ifdef TICKWHEEL_TEST_HOST

#include <doctest/doctest.h>
#include <stdio.h>

template <>
struct doctest::StringMaker<unit::moment> {
    static String convert(const unit::moment &value)
    {
        char text[80];
        (void)snprintf(text, sizeof text, "tick %#x (start %#x + %#x)", value.tick, value.start, value.delta);
        return String(text);
    }
};

#else

#include "../support/console.hpp"

namespace unit
{

/// A test case as the linker collects it: a constant in a section of its own, so nothing has to run to register it.
struct test_case {
    const char *name;
    void (*body)();
};

/// Prints a failure and counts it against the test case that runs.
void failed(const char *expression, const char *file, int line);
[[noreturn]] void give_up();
// Prints it in hexadecimal, like the ticks of the tables.
inline void print_value(uint64_t value)
{
    print(hex{static_cast<uint32_t>(value >> 32)}, hex{static_cast<uint32_t>(value)});
}
inline void print_value(const void *value)
{
    print(hex{static_cast<uint32_t>(reinterpret_cast<uintptr_t>(value))});
}
inline void print_value(const moment &value)
{
    print("tick ", hex{value.tick}, " (start ", hex{value.start}, " + ", hex{value.delta}, ")");
}

inline void check(const char *expression, const char *file, int line, bool passed)
{
    if (!passed) {
        failed(expression, file, line);
        print("\n");
    }
}

template <class A, class B>
void check_equal(const char *expression, const char *file, int line, const A &a, const B &b)
{
    if (!(a == b)) {
        failed(expression, file, line);
        print(": ");
        print_value(a);
        print(" is not ");
        print_value(b);
        print("\n");
    }
}

} // namespace unit

#define UNIT_JOIN_(a, b) a##b
#define UNIT_JOIN(a, b) UNIT_JOIN_(a, b)
#define UNIT_TEST_CASE(name, body)                                                                                   \
    static void body();                                                                                              \
    __attribute__((section("unit_tests"), used)) static const unit::test_case UNIT_JOIN(body, _entry) = {name,       \
                                                                                                         body};      \
    static void body()
#define TEST_CASE(name) UNIT_TEST_CASE(name, UNIT_JOIN(unit_case_, __LINE__))
#define CHECK(...) unit::check(#__VA_ARGS__, __FILE__, __LINE__, __VA_ARGS__)
#define CHECK_EQ(...) unit::check_equal(#__VA_ARGS__, __FILE__, __LINE__, __VA_ARGS__)
#define REQUIRE(...)                                                                                                 \
    do {                                                                                                             \
        if (!(__VA_ARGS__)) {                                                                                        \
            unit::check(#__VA_ARGS__, __FILE__, __LINE__, false);                                                    \
            unit::give_up();                                                                                         \
        }                                                                                                            \
    } while (false)

#endif
