import { createSingleFlight } from '@iot/shared/contract/singleFlight'
import type { ComponentType } from 'react'
import { resolvePath, type createBrowserRouter, type RouteObject, type To } from 'react-router-dom'
import { clearPrefetched } from '@iot/shared/client/ahead'
import { getPageAddress, removeBasePath } from '@iot/shared/contract/platform/siteAddress'
import type { Pointer, RemoteName } from '@iot/shared/contract/release/release.schema'
import { unsavedFormPathsAtom } from '@iot/shared/session/drafts'
import { store } from '@iot/shared/session/store'
import type { RemoteRoute } from '@iot/shared/screens/route'
import { findRemoteByPath } from '../remotes'
import { asLoadFailure } from './failure'
import {
  screenFailedAtom,
  fallbackRemotesAtom,
  developmentSwapsAtom,
  updateNoticeAtom,
} from './states'
import { getOverrideOrigin } from './override'
import { prefetchFirstCall, getPointer, readPointer } from './releases'
import { reportLoad } from './buildReports'
import { unloadBuild, loadPrevious, loadRemote, type MountedRemote } from './runtime'
import { forgetScreens, registerRouteSetter, createLazyScreen, renewRoutes } from './screens'
import { reportError } from '../pages/errors/reportError'

type Router = ReturnType<typeof createBrowserRouter> & {
  _internalSetRoutes(routes: RouteObject[]): void
}

const mountedRemotes = new Map<RemoteName, MountedRemote>()
/** These builds are loaded and wait until they can be swapped safely. */
const waitingBuilds = new Map<RemoteName, MountedRemote>()
const retiredBuilds: MountedRemote[] = []
let router: Router

/** Returns the child routes of a remote; the list is empty until the remote's code is loaded. */
export const getRemoteRoutes = (name: RemoteName, boundary: ComponentType): RouteObject[] =>
  // The router finds an open screen by its route id, so routes of retired builds stay registered; the newest build
  // matches first.
  [mountedRemotes.get(name), ...retiredBuilds].flatMap((remote) =>
    remote?.name === name
      ? remote.routes.map((route) => wrapInBoundary(remote, name, route, boundary))
      : [],
  )

export const getMountedBuild = (name: RemoteName) => mountedRemotes.get(name)?.build

const getRouteIdPrefix = ({ name, build }: MountedRemote) => `${name}@${build}:`

/**
 * Wraps a route so that each screen fails alone with a reason. The boundary is above the screen, because the router
 * renders nothing for a route whose own code did not load. Paths are absolute, because a remote with a path of its own
 * would match as a screen before its code is loaded. The handle carries the build, which tells which builds are in use.
 */
function wrapInBoundary(
  remote: MountedRemote,
  parentPath: string,
  { children, lazy, ...route }: RemoteRoute,
  boundary: ComponentType,
): RouteObject {
  const path = 'index' in route ? parentPath : `${parentPath}/${route.path}`
  const id = getRouteIdPrefix(remote) + path
  const screen = {
    ...route,
    index: false,
    path,
    ...(lazy
      ? createLazyScreen(id, remote.build, lazy, (failure) =>
          reportLoad({ name: remote.name, build: remote.build, ms: 0, failure }),
        )
      : { id }),
    ...(children && {
      children: children.map((child) => wrapInBoundary(remote, path, child, boundary)),
    }),
  }
  return {
    id: `${id}!`,
    ErrorBoundary: boundary,
    handle: { build: remote.build },
    children: [screen as RouteObject],
  }
}

const mountOnce = createSingleFlight(mount)

/** Loads a remote when one of its addresses is opened or hovered for the first time. */
export async function mountForPath(path: string) {
  // The remote may have been published since the pointer was read.
  if (!findRemoteByPath(path)) await getPointer().catch(() => {})
  if (!findRemoteByPath(path)) await readPointer().catch(() => {})
  const remote = findRemoteByPath(path)
  if (!remote || mountedRemotes.has(remote.name)) return
  await mountOnce(remote.name)
}

async function mount(name: RemoteName) {
  const startMs = performance.now()
  const getElapsedMs = () => performance.now() - startMs
  try {
    const mountedBuild = await loadRemote(name)
    mountedRemotes.set(name, mountedBuild)
    reportLoad({ name, build: mountedBuild.build, ms: getElapsedMs() })
  } catch (error) {
    const failure = asLoadFailure(error)
    reportLoad({ name, build: failure.build ?? '', ms: getElapsedMs(), failure })
    // When the browser is offline, the previous build could not be loaded either.
    const previousBuild = navigator.onLine && (await loadPrevious(name).catch(() => undefined))
    if (!previousBuild) throw failure
    mountedRemotes.set(name, previousBuild)
    store.set(fallbackRemotesAtom, (names) => [...names, name])
  }
  // `patch` would be lost on routes that were renewed and wait for a navigation.
  renewRoutes()
}

/** The router's own state has paths with the base path; links and navigations have none. */
const getOpenPath = () => removeBasePath(router.state.location.pathname)

export function connectRouter(
  createdRouter: ReturnType<typeof createBrowserRouter>,
  createRoutes: () => RouteObject[],
) {
  router = createdRouter as Router
  registerRouteSetter(() => router._internalSetRoutes(createRoutes()))
  let currentPath = getOpenPath()
  router.subscribe(({ initialized, navigation, location, matches }) => {
    const { pathname, search } = navigation.location ?? location
    const target = { pathname: removeBasePath(pathname), search }
    // When only filters or the tab change, the screen is already open and requests its own data.
    if (target.pathname !== currentPath) {
      currentPath = target.pathname
      // Prefetched answers that the screen has not used by now would be stale for a later visit.
      if (initialized) clearPrefetched()
      if (navigation.state !== 'idle') prefetchForAddress(target)
    }
    if (navigation.state !== 'idle') return
    const buildsInUse = new Set(
      matches.map(({ route }) => (route.handle as { build?: string } | undefined)?.build),
    )
    for (const retiredBuild of retiredBuilds.filter(({ build }) => !buildsInUse.has(build))) {
      retiredBuilds.splice(retiredBuilds.indexOf(retiredBuild), 1)
      // The old build may be in use again after a rollback, or wait for that.
      unmountIfUnused(retiredBuild)
    }
  })
  for (const atom of [unsavedFormPathsAtom, screenFailedAtom])
    store.sub(atom, () => swapWaitingBuilds())
  swapBeforeNavigations(router)
}

/**
 * Swaps builds before a navigation, because the router matches an address with the routes it has when the navigation
 * starts.
 */
function swapBeforeLeaving(pathname?: string) {
  if (pathname !== undefined && pathname !== getOpenPath()) swapWaitingBuilds({ isLeft: true })
}
// This handles Back and Forward. It is registered before the router exists, because Chromium calls the listeners of a
// window in registration order, even capturing ones.
addEventListener('popstate', () => router && swapBeforeLeaving(getPageAddress().pathname))

function swapBeforeNavigations(router: Router) {
  const navigate = router.navigate.bind(router) as (...args: unknown[]) => Promise<void>
  router.navigate = (target: unknown, ...options: unknown[]) => {
    if (typeof target === 'string' || (typeof target === 'object' && target !== null))
      swapBeforeLeaving(resolvePath(target as To, getOpenPath()).pathname)
    return navigate(target, ...options)
  }
}

/** Requests the first data of a screen while its code is loading. */
function prefetchForAddress(address: { pathname: string; search: string }) {
  const remote = findRemoteByPath(address.pathname)
  if (remote) void prefetchFirstCall(remote.name, address).catch(() => {})
}

function unmountBuild(remote: MountedRemote) {
  unloadBuild(remote)
  forgetScreens(getRouteIdPrefix(remote))
}

function unmountIfUnused(remote: MountedRemote) {
  const { name, build } = remote
  const remotesInUse = [mountedRemotes.get(name), waitingBuilds.get(name), ...retiredBuilds]
  if (!remotesInUse.some((candidate) => candidate?.name === name && candidate.build === build))
    unmountBuild(remote)
}

/** Sets or clears the build that waits to be swapped in, and releases the one it replaces. */
function setWaitingBuild(name: RemoteName, nextBuild?: MountedRemote) {
  const replacedBuild = waitingBuilds.get(name)
  if (nextBuild) waitingBuilds.set(name, nextBuild)
  else waitingBuilds.delete(name)
  if (replacedBuild) unmountIfUnused(replacedBuild)
}

/** Reads the pointer again and reopens the current address with the build that is served now. */
export async function retryAddress() {
  await readPointer().then(followPointer, () => {})
  swapWaitingBuilds({ isLeft: true })
  await reopenAddress()
}

/**
 * Renews the routes before navigating, because the router never retries a failed screen. It does not bring the user back
 * who is on the way to another screen.
 */
async function reopenAddress() {
  renewRoutes()
  const { location, navigation } = router.state
  if (navigation.location && navigation.location.pathname !== location.pathname) return
  const { search, hash, state } = location
  await router.navigate(getOpenPath() + search + hash, { replace: true, state: state as unknown })
}

/** Reloads a remote of a development server at the same address. */
export async function reloadRemote(name: RemoteName) {
  const previousBuild = mountedRemotes.get(name)
  if (!previousBuild) return
  unmountBuild(previousBuild)
  mountedRemotes.set(name, await loadRemote(name))
  await reopenAddress()
  store.set(developmentSwapsAtom, (count) => count + 1)
}

/** This host cannot run these builds, so retrying them is useless. */
const incompatibleBuilds = new Set<string>()

/**
 * Brings the remotes in use to the builds that the pointer names, forwards or back: loads them now and swaps them when
 * it is safe.
 * @returns whether all builds loaded; a remote whose build failed keeps working, and the next call tries again
 */
export async function followPointer(pointer: Pointer) {
  let isComplete = true
  for (const [name, current] of mountedRemotes) {
    if (getOverrideOrigin(name)) continue
    const targetBuild = pointer.remotes[name]?.build
    if (!targetBuild || targetBuild === current.build) {
      setWaitingBuild(name)
      // A failed build that the pointer no longer names needs no retry.
      if (targetBuild) clearFallback(name)
    } else if (
      waitingBuilds.get(name)?.build !== targetBuild &&
      !incompatibleBuilds.has(targetBuild)
    )
      await loadRemote(name).then(
        (next) => {
          // A retry and the poll may follow the pointer at once; the first of them has mounted the build.
          if (mountedRemotes.get(name)?.build !== next.build) setWaitingBuild(name, next)
        },
        (error: unknown) => {
          const failure = asLoadFailure(error)
          reportLoad({ name, build: targetBuild, ms: 0, failure })
          if (failure.kind === 'incompatible') incompatibleBuilds.add(targetBuild)
          else isComplete = false
        },
      )
  }
  swapWaitingBuilds()
  return isComplete
}

/** Clears the fallback state of a remote whose current build is the served one again. */
function clearFallback(name: RemoteName) {
  if (store.get(fallbackRemotesAtom).includes(name))
    store.set(fallbackRemotesAtom, (names) => names.filter((remoteName) => remoteName !== name))
}

/**
 * An open remote counts as in use until another path is opened; changed paging, filters or tabs do not trigger a swap.
 */
const isRemoteOpen = (name: RemoteName) =>
  findRemoteByPath(getOpenPath())?.name === name &&
  !router.state.errors &&
  !store.get(screenFailedAtom)

/**
 * Swaps in the waiting builds. A remote with an unfinished form keeps its code until the form is saved or discarded; an
 * open remote keeps its code until the operator leaves it (`isLeft`).
 */
function swapWaitingBuilds({ isLeft = false } = {}) {
  const unsavedPaths = store.get(unsavedFormPathsAtom)
  for (const [name, next] of waitingBuilds) {
    if (unsavedPaths.some((path) => findRemoteByPath(path)?.name === name)) continue
    if (isRemoteOpen(name) && !isLeft) continue
    // The next build may be one that is still open in a retired screen, because the pointer was rolled back.
    const retiredIndex = retiredBuilds.findIndex(
      (retiredBuild) => retiredBuild.name === name && retiredBuild.build === next.build,
    )
    if (retiredIndex >= 0) retiredBuilds.splice(retiredIndex, 1)
    retiredBuilds.push(mountedRemotes.get(name)!)
    mountedRemotes.set(name, next)
    waitingBuilds.delete(name)
    renewRoutes()
    store.set(updateNoticeAtom, name)
    clearFallback(name)
    // A screen that failed in the previous build is reopened automatically.
    if (router.state.errors && findRemoteByPath(getOpenPath())?.name === name)
      reopenAddress().catch(reportError)
  }
}
