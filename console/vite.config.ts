import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'

/**
 * Builds the console into `dist/console`, from which the gateway serves it at `/console`. The names of
 * the files contain a hash of their content, and each file is stored compressed as well.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  // The gateway replaces it with the nonce of the response.
  html: { cspNonce: 'CSP-NONCE' },
  plugins: [
    react(),
    compression({
      algorithms: ['gzip', 'brotliCompress'],
      exclude: [/\.html$/, /\.map$/],
      threshold: 1024,
    }),
  ],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2023',
    // The first browsers with `light-dark()`, all from early 2024.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
  },
})
