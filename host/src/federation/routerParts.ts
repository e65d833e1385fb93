/**
 * Exports the parts of the router that screens use. The whole package includes its server half; add a missing name
 * here.
 */
export {
  Link,
  NavLink,
  Navigate,
  Outlet,
  createMemoryRouter,
  createSearchParams,
  data,
  generatePath,
  isRouteErrorResponse,
  matchPath,
  redirect,
  replace,
  useBeforeUnload,
  useBlocker,
  useHref,
  useLoaderData,
  useLocation,
  useMatches,
  useNavigate,
  useNavigation,
  useOutlet,
  useOutletContext,
  useParams,
  useRevalidator,
  useRouteError,
  useSearchParams,
} from 'react-router-dom'
