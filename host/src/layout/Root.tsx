import { Outlet } from 'react-router-dom'
import { useApiErrorHandling } from './useApiErrorHandling'

/** The root route is above every other route, including login and error screens. */
export function Root() {
  useApiErrorHandling()
  return <Outlet />
}
