import { defineConfig } from 'vitest/config';

// Unit tests are fast and need nothing; storage tests need a MariaDB server's binaries.
export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
          exclude: ['tests/storage/mysql/**', 'tests/storage/sync/**', 'tests/e2e/**'],
        },
      },
      {
        extends: true,
        test: { name: 'storage', include: ['tests/storage/mysql/**/*.test.ts', 'tests/storage/sync/**/*.test.ts'], fileParallelism: false },
      },
    ],
  },
});
