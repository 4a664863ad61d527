import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  envPrefix: 'BANK_',
  server: { host: '127.0.0.1', port: Number(process.env.PORT ?? 5173), strictPort: true },
})
