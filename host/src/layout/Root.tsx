import { Outlet } from 'react-router-dom'
import { useFailures } from './useFailures'

/** Above every route, login and error screens included. */
export function Root() {
  useFailures()
  return <Outlet />
}
