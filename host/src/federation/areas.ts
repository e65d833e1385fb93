import { createSingleFlight } from '@iot/shared/contract/singleFlight'
import type { ComponentType } from 'react'
import { resolvePath, type createBrowserRouter, type RouteObject, type To } from 'react-router-dom'
import { clearPrefetched } from '@iot/shared/client/ahead'
import type { Pointer, RemoteName } from '@iot/shared/contract/release'
import { unsavedFormPathsAtom } from '@iot/shared/session/drafts'
import { store } from '@iot/shared/session/store'
import type { RemoteRoute } from '@iot/shared/screens/route'
import { findRemoteByPath } from '../remotes'
import { asLoadFailure } from './failure'
import { brokenAtom, formerAtom, takenAtom, updatedAtom } from './news'
import { getOverrideOrigin } from './override'
import { askFor, pointer, readPointer } from './releases'
import { reportLoad } from './report'
import { forget, loadPrevious, loadRemote, type Mounted } from './runtime'
import { forgetScreens, giveRoutes, lazyScreen, renew } from './screens'
import { reportError } from '../pages/errors/reportError'

type Router = ReturnType<typeof createBrowserRouter> & {
  _internalSetRoutes(routes: RouteObject[]): void
}

const mounted = new Map<RemoteName, Mounted>()
/** These builds are loaded and wait until they can be swapped safely. */
const ready = new Map<RemoteName, Mounted>()
const retired: Mounted[] = []
let router: Router

/** Returns the child routes of a remote; the list is empty until the remote's code is loaded. */
export const getRemoteRoutes = (name: RemoteName, boundary: ComponentType): RouteObject[] =>
  // The router finds an open screen by its route id, so routes of retired builds stay registered; the newest build
  // matches first.
  [mounted.get(name), ...retired].flatMap((remote) =>
    remote?.name === name
      ? remote.routes.map((route) => guarded(remote, name, route, boundary))
      : [],
  )

export const getMountedBuild = (name: RemoteName) => mounted.get(name)?.build

const getRouteIdPrefix = ({ name, build }: Mounted) => `${name}@${build}:`

/**
 * Wraps a route so that each screen fails alone with a reason. The boundary is above the screen, because the router
 * renders nothing for a route whose own code did not load. Paths are absolute, because a remote with a path of its own
 * would match as a screen before its code is loaded. The handle carries the build, which tells which builds are in use.
 */
function guarded(
  remote: Mounted,
  above: string,
  { children, lazy, ...route }: RemoteRoute,
  boundary: ComponentType,
): RouteObject {
  const path = 'index' in route ? above : `${above}/${route.path}`
  const id = getRouteIdPrefix(remote) + path
  const screen = {
    ...route,
    index: false,
    path,
    ...(lazy
      ? lazyScreen(id, remote.build, lazy, (failure) =>
          reportLoad({ name: remote.name, build: remote.build, ms: 0, failure }),
        )
      : { id }),
    ...(children && { children: children.map((child) => guarded(remote, path, child, boundary)) }),
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
export async function discover(path: string) {
  // The remote may have been published since the pointer was read.
  if (!findRemoteByPath(path)) await pointer().catch(() => {})
  if (!findRemoteByPath(path)) await readPointer().catch(() => {})
  const remote = findRemoteByPath(path)
  if (!remote || mounted.has(remote.name)) return
  await mountOnce(remote.name)
}

async function mount(name: RemoteName) {
  const start = performance.now()
  const took = () => performance.now() - start
  try {
    const loaded = await loadRemote(name)
    mounted.set(name, loaded)
    reportLoad({ name, build: loaded.build, ms: took() })
  } catch (error) {
    const failure = asLoadFailure(error)
    reportLoad({ name, build: failure.build ?? '', ms: took(), failure })
    // When the browser is offline, the previous build could not be loaded either.
    const former = navigator.onLine && (await loadPrevious(name).catch(() => undefined))
    if (!former) throw failure
    mounted.set(name, former)
    store.set(formerAtom, (areas) => [...areas, name])
  }
  // `patch` would be lost on routes that were renewed and wait for a navigation.
  renew()
}

export function connect(
  connected: ReturnType<typeof createBrowserRouter>,
  routes: () => RouteObject[],
) {
  router = connected as Router
  giveRoutes(() => router._internalSetRoutes(routes()))
  let going = router.state.location.pathname
  router.subscribe(({ initialized, navigation, location, matches }) => {
    const to = navigation.location ?? location
    // When only filters or the tab change, the screen is already open and requests its own data.
    if (to.pathname !== going) {
      going = to.pathname
      // Prefetched answers that the screen has not used by now would be stale for a later visit.
      if (initialized) clearPrefetched()
      if (navigation.state !== 'idle') askAhead(to)
    }
    if (navigation.state !== 'idle') return
    const buildsInUse = new Set(
      matches.map(({ route }) => (route.handle as { build?: string } | undefined)?.build),
    )
    for (const old of retired.filter(({ build }) => !buildsInUse.has(build))) {
      retired.splice(retired.indexOf(old), 1)
      // The old build may be in use again after a rollback, or wait for that.
      letGoUnused(old)
    }
  })
  for (const atom of [unsavedFormPathsAtom, brokenAtom]) store.sub(atom, () => exchange())
  leaveBeforeNavigating(router)
}

/**
 * Swaps builds before a navigation, because the router matches an address with the routes it has when the navigation
 * starts.
 */
function leaveFor(pathname?: string) {
  if (pathname !== undefined && pathname !== router.state.location.pathname)
    exchange({ isLeft: true })
}
// This handles Back and Forward. It is registered before the router exists, because Chromium calls the listeners of a
// window in registration order, even capturing ones.
addEventListener('popstate', () => router && leaveFor(location.pathname))

function leaveBeforeNavigating(router: Router) {
  const navigate = router.navigate.bind(router) as (...all: unknown[]) => Promise<void>
  router.navigate = (to: unknown, ...options: unknown[]) => {
    if (typeof to === 'string' || (typeof to === 'object' && to !== null))
      leaveFor(resolvePath(to as To, router.state.location.pathname).pathname)
    return navigate(to, ...options)
  }
}

/** Requests the first data of a screen while its code is loading. */
function askAhead(address: { pathname: string; search: string }) {
  const remote = findRemoteByPath(address.pathname)
  if (remote) void askFor(remote.name, address).catch(() => {})
}

function letGo(remote: Mounted) {
  forget(remote)
  forgetScreens(getRouteIdPrefix(remote))
}

function letGoUnused(remote: Mounted) {
  const { name, build } = remote
  const remotesInUse = [mounted.get(name), ready.get(name), ...retired]
  if (!remotesInUse.some((candidate) => candidate?.name === name && candidate.build === build))
    letGo(remote)
}

/** Sets or clears the build that waits to be swapped in, and releases the one it replaces. */
function setReady(name: RemoteName, next?: Mounted) {
  const overtaken = ready.get(name)
  if (next) ready.set(name, next)
  else ready.delete(name)
  if (overtaken) letGoUnused(overtaken)
}

/** Reads the pointer again and reopens the current address with the build that is served now. */
export async function retry() {
  await readPointer().then(follow, () => {})
  exchange({ isLeft: true })
  await reopen()
}

/** Renews the routes before navigating, because the router never retries a failed screen. */
async function reopen() {
  renew()
  const { pathname, search, hash, state } = router.state.location
  await router.navigate(pathname + search + hash, { replace: true, state: state as unknown })
}

/** Reloads a remote of a development server at the same address. */
export async function reload(name: RemoteName) {
  const old = mounted.get(name)
  if (!old) return
  letGo(old)
  mounted.set(name, await loadRemote(name))
  await reopen()
  store.set(takenAtom, (times) => times + 1)
}

/** This host cannot run these builds, so retrying them is useless. */
const incompatibleBuilds = new Set<string>()

/**
 * Brings the remotes in use to the builds that the pointer names, forwards or back: loads them now and swaps them when
 * it is safe.
 * @returns whether all builds loaded; a remote whose build failed keeps working, and the next call tries again
 */
export async function follow(pointer: Pointer) {
  let isWhole = true
  for (const [name, now] of mounted) {
    if (getOverrideOrigin(name)) continue
    const targetBuild = pointer.remotes[name]?.build
    if (!targetBuild || targetBuild === now.build) {
      setReady(name)
      // A failed build that the pointer no longer names needs no retry.
      if (targetBuild) nowPresent(name)
    } else if (ready.get(name)?.build !== targetBuild && !incompatibleBuilds.has(targetBuild))
      await loadRemote(name).then(
        (next) => setReady(name, next),
        (error: unknown) => {
          const failure = asLoadFailure(error)
          reportLoad({ name, build: targetBuild, ms: 0, failure })
          if (failure.kind === 'incompatible') incompatibleBuilds.add(targetBuild)
          else isWhole = false
        },
      )
  }
  exchange()
  return isWhole
}

/** Clears the fallback state of a remote whose current build is the served one again. */
function nowPresent(name: RemoteName) {
  if (store.get(formerAtom).includes(name))
    store.set(formerAtom, (areas) => areas.filter((area) => area !== name))
}

/**
 * An open remote counts as in use until another path is opened; changed paging, filters or tabs do not trigger a swap.
 */
const isOpen = (name: RemoteName) =>
  findRemoteByPath(router.state.location.pathname)?.name === name &&
  !router.state.errors &&
  !store.get(brokenAtom)

/**
 * Swaps in the waiting builds. A remote with an unfinished form keeps its code until the form is saved or discarded; an
 * open remote keeps its code until the operator leaves it (`isLeft`).
 */
function exchange({ isLeft = false } = {}) {
  const unfinished = store.get(unsavedFormPathsAtom)
  for (const [name, next] of ready) {
    if (unfinished.some((path) => findRemoteByPath(path)?.name === name)) continue
    if (isOpen(name) && !isLeft) continue
    // The next build may be one that is still open in a retired screen, because the pointer was rolled back.
    const back = retired.findIndex((old) => old.name === name && old.build === next.build)
    if (back >= 0) retired.splice(back, 1)
    retired.push(mounted.get(name)!)
    mounted.set(name, next)
    ready.delete(name)
    renew()
    store.set(updatedAtom, name)
    nowPresent(name)
    // A screen that failed in the previous build is reopened automatically.
    if (router.state.errors && findRemoteByPath(router.state.location.pathname)?.name === name)
      reopen().catch(reportError)
  }
}
