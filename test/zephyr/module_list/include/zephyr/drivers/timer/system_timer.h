/* SPDX-License-Identifier: MIT */
/* NOT Zephyr: timeout_q.h has what the port uses. */
