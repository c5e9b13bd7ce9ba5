import { useSyncExternalStore } from 'react'
import { Route, Switch } from 'wouter'
import { ConfirmAddressPage } from './confirm-address-page.tsx'
import { ForgotPage } from './forgot-page.tsx'
import { JoinPage } from './join-page.tsx'
import { PasswordPage } from './password-page.tsx'
import { SignInPage } from './sign-in-page.tsx'
import { SignUpPage } from './sign-up-page.tsx'

/** What can be seen without being signed in. */
export default function Outside() {
  // Another link in the same tab differs behind the # sign alone, and is another page all the same.
  const link = useSyncExternalStore(subscribeToHash, () => location.hash)
  return (
    <Switch key={link}>
      <Route path="/sign-in" component={SignInPage} />
      <Route path="/sign-up" component={SignUpPage} />
      <Route path="/forgot" component={ForgotPage} />
      <Route path="/join" component={JoinPage} />
      <Route path="/password" component={PasswordPage} />
      <Route path="/email" component={ConfirmAddressPage} />
    </Switch>
  )
}

function subscribeToHash(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}
