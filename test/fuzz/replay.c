/*-------------------------------------------------------------------------
 *
 * replay.c
 *		Give files to a fuzz target, without a fuzzer.
 *
 *-------------------------------------------------------------------------
 */
#include "fuzz.h"

int
main(int argc, char **argv)
{
	static uint8 data[MAX_INPUT];

	for (int i = 1; i < argc; i++)
	{
		FILE	   *file = fopen(argv[i], "rb");
		size_t		size;

		if (file == NULL)
		{
			perror(argv[i]);
			return 1;
		}
		size = fread(data, 1, sizeof(data), file);
		fclose(file);
		LLVMFuzzerTestOneInput(data, size);
	}
	printf("%d files replayed\n", argc - 1);
	return 0;
}
