import { Outlet } from 'react-router-dom'
import { useFailures } from './useFailures'

/** The root route is above every other route, including login and error screens. */
export function Root() {
  useFailures()
  return <Outlet />
}
