/* SPDX-License-Identifier: MIT */
/* NOT Zephyr: kernel.h has what the port uses. */
