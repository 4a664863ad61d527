/*
 * Makes every flush to the disk take as many milliseconds as the file DISK_DELAY_FILE says, and longer if
 * the number is raised meanwhile. It is loaded into PostgreSQL with LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long delay_ms(void) {
  const char *path = getenv("DISK_DELAY_FILE");
  FILE *file = path ? fopen(path, "r") : NULL;
  long delay = 0;
  if (!file) return 0;
  if (fscanf(file, "%ld", &delay) != 1) delay = 0;
  fclose(file);
  return delay;
}

static void wait_for_delay(void) {
  for (long waited = 0; waited < delay_ms(); waited += 20) usleep(20 * 1000);
}

int fdatasync(int fd) {
  static int (*flush)(int);
  if (!flush) flush = dlsym(RTLD_NEXT, "fdatasync");
  wait_for_delay();
  return flush(fd);
}

int fsync(int fd) {
  static int (*flush)(int);
  if (!flush) flush = dlsym(RTLD_NEXT, "fsync");
  wait_for_delay();
  return flush(fd);
}
