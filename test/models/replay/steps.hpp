// SPDX-License-Identifier: MIT
// Forces the steps of a trail on two threads, each a core. One thread runs at a time.
#ifndef TICKWHEEL_TEST_MODELS_STEPS_HPP
#define TICKWHEEL_TEST_MODELS_STEPS_HPP

#include <stdint.h>

namespace replay
{

/// How a model writes a value of the code.
enum class written_as {
    number,
    /// 1, if it is not null.
    is_set,
    /// 1, if it is 0.
    is_zero,
    /// 1, if it is `timer`.
    is_timer,
    /// A core, or 2 for null.
    other_core,
};

/// A word of the code that a model names.
struct word {
    const char *name;
    /// The core that it belongs to.
    int index;
    const volatile void *address;
    unsigned size;
    written_as written;
    const void *timer;
};

/// Where a model names none.
constexpr int any = -1;

/// Reads the steps of a trail from the standard input. Ends the program if `words` and `marks` have no such name.
/// A mark is a step that comes by done().
void read(const word *words, unsigned word_count, const char *const *marks, unsigned mark_count);

/// Runs both cores through the steps, and then to their ends. Ends the program.
[[noreturn]] void run(void (*core)(unsigned here));

/// The number of this core.
unsigned here();
/// This core has done the step with this name.
void done(const char *name, int index = any);
/// This core waits for the other one.
void wait();
/// The property does not hold.
void fail(const char *why);

/// Makes the atomic stores of the code weaker than they are.
extern bool without_release;

} // namespace replay

#endif
