/* How `trod cc` passes the compile command to the plugin: in a memory file that the compiler inherits, whose
 * descriptor TROD_COMMAND_FD names. A string of the environment would be too small for long commands.
 */
#ifndef TROD_LLVM_COMMAND_H
#define TROD_LLVM_COMMAND_H

/* The file's first line. The descriptor may refer to another file by the time the plugin reads it. */
#define TROD_COMMAND_HEAD "trod-command 1\n"

#endif
