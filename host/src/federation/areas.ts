import type { ComponentType } from 'react'
import { resolvePath, type createBrowserRouter, type RouteObject, type To } from 'react-router-dom'
import { dropAhead } from '@iot/shared/client/ahead'
import type { Pointer, RemoteName } from '@iot/shared/contract/release'
import { unfinishedAtom } from '@iot/shared/session/drafts'
import { store } from '@iot/shared/session/store'
import type { RemoteRoute } from '@iot/shared/screens/route'
import { remoteFor } from '../remotes'
import { asLoadFailure } from './failure'
import { brokenAtom, formerAtom, takenAtom, updatedAtom } from './news'
import { overrideOf } from './override'
import { askFor, pointer, readPointer } from './releases'
import { reportLoad } from './report'
import { forget, loadPrevious, loadRemote, type Mounted } from './runtime'
import { forgetScreens, giveRoutes, lazyScreen, renew } from './screens'

type Router = ReturnType<typeof createBrowserRouter> & {
  _internalSetRoutes(routes: RouteObject[]): void
}

const mounted = new Map<RemoteName, Mounted>()
/** Loaded and waiting for a safe point. */
const ready = new Map<RemoteName, Mounted>()
const retired: Mounted[] = []
let router: Router

/** What the router shows below a remote's address: nothing until its code is there. */
export const routesOf = (name: RemoteName, boundary: ComponentType): RouteObject[] =>
  // The router looks an open screen up by its id, so a build that is still open stays known; the newest is matched first.
  [mounted.get(name), ...retired].flatMap((remote) =>
    remote?.name === name
      ? remote.routes.map((route) => guarded(remote, name, route, boundary))
      : [],
  )

export const buildOf = (name: RemoteName) => mounted.get(name)?.build

const idOf = ({ name, build }: Mounted) => `${name}@${build}:`

/**
 * Each screen fails alone, with words for why. The boundary stands above the screen: the router shows nothing for a
 * route whose own code did not come. Addresses are whole, because an area with a path of its own would be taken for a
 * screen before its code is there. The build in the handle tells what is in use.
 */
function guarded(
  remote: Mounted,
  above: string,
  { children, lazy, ...route }: RemoteRoute,
  boundary: ComponentType,
): RouteObject {
  const path = 'index' in route ? above : `${above}/${route.path}`
  const id = idOf(remote) + path
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

const mounting = new Map<RemoteName, Promise<void>>()

/** Loads a remote when the first of its addresses is opened, or pointed at. */
export async function discover(path: string) {
  // It may have been published since the pointer was read.
  if (!remoteFor(path)) await pointer().catch(() => {})
  if (!remoteFor(path)) await readPointer().catch(() => {})
  const remote = remoteFor(path)
  if (!remote || mounted.has(remote.name)) return
  const { name } = remote
  const asked = mounting.get(name) ?? mount(name).finally(() => mounting.delete(name))
  mounting.set(name, asked)
  await asked
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
    // Without a network the one before would only be waited for too.
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
    // Where only filters or the tab change, the screen is there and asks for itself.
    if (to.pathname !== going) {
      going = to.pathname
      // What nobody took over by then would be old for who comes back.
      if (initialized) dropAhead()
      if (navigation.state !== 'idle') askAhead(to)
    }
    if (navigation.state !== 'idle') return
    const used = new Set(
      matches.map(({ route }) => (route.handle as { build?: string } | undefined)?.build),
    )
    for (const old of retired.filter(({ build }) => !used.has(build))) {
      retired.splice(retired.indexOf(old), 1)
      // It may have come back by a rollback, or wait for that.
      letGoUnused(old)
    }
  })
  for (const atom of [unfinishedAtom, brokenAtom]) store.sub(atom, () => exchange())
  leaveBeforeNavigating(router)
}

/** The router matches an address with the routes it has when it sets out, so they are exchanged before. */
function leaveFor(pathname?: string) {
  if (pathname !== undefined && pathname !== router.state.location.pathname)
    exchange({ isLeft: true })
}
// Back and Forward. Before there is a router, which listens too: Chromium calls the listeners of a window in the order
// they came, also those that ask for the capturing phase.
addEventListener('popstate', () => router && leaveFor(location.pathname))

function leaveBeforeNavigating(router: Router) {
  const navigate = router.navigate.bind(router) as (...all: unknown[]) => Promise<void>
  router.navigate = (to: unknown, ...options: unknown[]) => {
    if (typeof to === 'string' || (typeof to === 'object' && to !== null))
      leaveFor(resolvePath(to as To, router.state.location.pathname).pathname)
    return navigate(to, ...options)
  }
}

/** The code of a screen is on its way, and so is what it shows first. */
function askAhead(address: { pathname: string; search: string }) {
  const remote = remoteFor(address.pathname)
  if (remote) void askFor(remote.name, address).catch(() => {})
}

function letGo(remote: Mounted) {
  forget(remote)
  forgetScreens(idOf(remote))
}

function letGoUnused(remote: Mounted) {
  const { name, build } = remote
  const used = [mounted.get(name), ready.get(name), ...retired]
  if (!used.some((one) => one?.name === name && one.build === build)) letGo(remote)
}

/** Has a build wait, or none; the one that waited was overtaken. */
function setReady(name: RemoteName, next?: Mounted) {
  const overtaken = ready.get(name)
  if (next) ready.set(name, next)
  else ready.delete(name)
  if (overtaken) letGoUnused(overtaken)
}

/** Opens the present address anew, with the build that is served now. */
export async function retry() {
  await readPointer().then(follow, () => {})
  exchange({ isLeft: true })
  await reopen()
}

/** The router keeps a failed screen for good, so it gets fresh routes first. */
async function reopen() {
  renew()
  const { pathname, search, hash, state } = router.state.location
  await router.navigate(pathname + search + hash, { replace: true, state: state as unknown })
}

/** Development: the same address with the code as it is now. */
export async function reload(name: RemoteName) {
  const old = mounted.get(name)
  if (!old) return
  letGo(old)
  mounted.set(name, await loadRemote(name))
  await reopen()
  store.set(takenAtom, (times) => times + 1)
}

/** Builds that no later try will bring: this host cannot run them. */
const refused = new Set<string>()

/**
 * Brings remotes that are in use to the builds the pointer names, or back: loads them now, exchanges them when safe. Says
 * whether all came; the build in use goes on working, and what did not come is asked for again by the next call.
 */
export async function follow(pointer: Pointer) {
  let isWhole = true
  for (const [name, now] of mounted) {
    if (overrideOf(name)) continue
    const wanted = pointer.remotes[name]?.build
    if (!wanted || wanted === now.build) {
      setReady(name)
      // What did not come is no longer wanted.
      if (wanted) nowPresent(name)
    } else if (ready.get(name)?.build !== wanted && !refused.has(wanted))
      await loadRemote(name).then(
        (next) => setReady(name, next),
        (error: unknown) => {
          const failure = asLoadFailure(error)
          reportLoad({ name, build: wanted, ms: 0, failure })
          if (failure.kind === 'incompatible') refused.add(wanted)
          else isWhole = false
        },
      )
  }
  exchange()
  return isWhole
}

/** The build that is used is the one that is served, again. */
function nowPresent(name: RemoteName) {
  if (store.get(formerAtom).includes(name))
    store.set(formerAtom, (areas) => areas.filter((area) => area !== name))
}

/** What is open in a remote stays as it is until another path is opened: page, filters and tabs of a list are no reason. */
const isOpen = (name: RemoteName) =>
  remoteFor(router.state.location.pathname)?.name === name &&
  !router.state.errors &&
  !store.get(brokenAtom)

/**
 * Gives the router the builds that wait. A remote with an unfinished form keeps its code until the form is saved or given
 * up, one that is open until it is `left`.
 */
function exchange({ isLeft = false } = {}) {
  const unfinished = store.get(unfinishedAtom)
  for (const [name, next] of ready) {
    if (unfinished.some((path) => remoteFor(path)?.name === name)) continue
    if (isOpen(name) && !isLeft) continue
    // After a rollback it may be the very build that is still open somewhere.
    const back = retired.findIndex((old) => old.name === name && old.build === next.build)
    if (back >= 0) retired.splice(back, 1)
    retired.push(mounted.get(name)!)
    mounted.set(name, next)
    ready.delete(name)
    renew()
    store.set(updatedAtom, name)
    nowPresent(name)
    // What failed in the former build is opened again by itself.
    if (router.state.errors && remoteFor(router.state.location.pathname)?.name === name)
      void reopen()
  }
}
