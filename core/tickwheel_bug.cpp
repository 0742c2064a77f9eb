// SPDX-License-Identifier: MIT
// The answer to misuse of a program that defines none: stop where the stack
// still shows the caller. An archive member of its own, so that a program's own
// tickwheel_bug() replaces it without a weak symbol.

// Declared here, not by tickwheel.h: this fits headers of any HZ, geometry and debug, and must not ask for one.
struct timer_list;
extern "C" void tickwheel_bug(const char *what, const timer_list *timer);

extern "C" void tickwheel_bug(const char *what, const timer_list *timer)
{
    (void)what;
    (void)timer;
    __builtin_trap();
}
