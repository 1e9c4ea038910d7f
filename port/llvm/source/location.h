/* location: which file the text of an instruction is in.
 *
 * A function's body may include text of other files, and #line may name others, as in the parsers of yacc. Debug locations say
 * so by their scope.
 */
#ifndef TROD_LLVM_LOCATION_H
#define TROD_LLVM_LOCATION_H

#include "llvm/port.h"

/* The file that a function is in; NULL: unknown. */
LLVMMetadataRef trod_location_own_file(LLVMValueRef function);

/* The file of a debug location, not NULL. */
LLVMMetadataRef trod_location_file(LLVMMetadataRef location);

/* Files with the same name, whatever else is known of them. Either may be NULL. */
bool trod_location_is_same_file(LLVMMetadataRef a, LLVMMetadataRef b);

/* The name of a file as the map has it; NULL: it has none. */
const char *trod_location_file_name(LLVMMetadataRef file, struct trod_arena *mem);

/* Has an instruction no place of its own? A PHI node has that of its variable's declaration, and so have the bounds of a lifetime.
 * What receives an exception, begins a handler or continues unwinding has that of other code.
 */
bool trod_llvm_is_no_code(LLVMValueRef instruction);

#endif
