// SPDX-License-Identifier: MIT
// Finds the command that a line names, checks its numbers, and calls it.
#ifndef SHELL_COMMAND_LINE_HPP
#define SHELL_COMMAND_LINE_HPP

#include <stdint.h>

namespace command_line
{

/// The numbers of a line, as the command's usage names them.
struct arguments {
    unsigned timer; ///< T
    uint32_t ticks; ///< N
};

struct command {
    /// The name, then T or N for each number: "mod T N".
    const char *usage;
    void (*run)(const arguments &);
    /// nullptr: `help` does not list the command.
    const char *help;
};

/// The ranges of T and N begin with 1 and end with these.
extern const arguments largest;

/// Runs the command that `line` names, or prints why it cannot. Does nothing for an empty line or a comment (#).
void run(const char *line, const command *first, const command *end);

} // namespace command_line

#endif
