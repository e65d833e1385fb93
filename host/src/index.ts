// This import must be first, because the policy must exist before anything else writes into the page.
import './federation/trustedTypes'
// All later modules load their lazy chunks through the loader that this import installs.
import './federation/install'
import { start } from './federation/startFailure'

// Shared modules load asynchronously, so everything that imports one is behind this import.
start(() => import('./main'))
