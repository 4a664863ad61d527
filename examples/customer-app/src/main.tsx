import { createRoot } from 'react-dom/client'
import { bankAfterLogIn, logIn } from './bank.ts'
import { Home } from './home.tsx'

const root = createRoot(document.getElementById('root')!)

bankAfterLogIn().then(
  (bank) => root.render(bank ? <Home bank={bank} /> : <LogIn />),
  (error: Error) => root.render(<LogIn problem={error.message} />),
)

function LogIn({ problem }: { problem?: string }) {
  return (
    <main>
      <h1>Your accounts</h1>
      {problem && <p role="alert">{problem}</p>}
      <button onClick={() => void logIn()}>Log in at your bank</button>
    </main>
  )
}
