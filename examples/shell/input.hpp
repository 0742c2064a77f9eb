// SPDX-License-Identifier: MIT
// The line that somebody types.
#ifndef SHELL_INPUT_HPP
#define SHELL_INPUT_HPP

#include "../../boards/print.hpp"

class typed_line {
public:
    /// Shows what has been typed, and takes more. @return a whole line, or nullptr. The next call overwrites the
    /// line.
    const char *read()
    {
        constexpr int backspace = 8;
        constexpr int del = 127;
        if (!shown) {
            text[length] = 0;
            print("> ", text);
            shown = true;
        }
        for (int c = board::console_get(); c >= 0; c = board::console_get()) {
            if (c == '\r' || c == '\n') {
                make_room();
                text[length] = 0;
                length = 0;
                return text;
            }
            if (c == backspace || c == del) {
                print(length > 0 ? "\b \b" : "");
                length -= length > 0 ? 1 : 0;
            } else if (c >= ' ' && length < longest) {
                text[length++] = static_cast<char>(c);
                board::console_put(static_cast<char>(c));
            }
        }
        return nullptr;
    }

    /// Call this before a message. The unfinished line is shown again after it.
    void make_room()
    {
        print(shown ? "\n" : "");
        shown = false;
    }

private:
    static constexpr unsigned longest = 77;
    char text[longest + 1] = {};
    unsigned length = 0;
    bool shown = false;
};

#endif
