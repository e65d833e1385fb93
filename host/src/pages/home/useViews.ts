import { useRequest } from 'ahooks'
import { useSearchParams } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { treeOf } from '@iot/shared/contract/tree'
import { viewApi, type MyView } from '@iot/shared/contract/view'

/** Of what home is without views; no path of a view begins so. */
const overview = '_overview'
/** What belongs to the overview: a link with it does not mean a view that is opened first. */
const ofOverview = ['scope', 'group', 'floor', 'device', 'scene', 'wall']

export type Tab = MyView & { label: string }

/** The views of the caller as tabs, and which is chosen: `?view=path`, else the default one, else none. */
export function useViews(projectId: number, ready: boolean) {
  const [params, setParams] = useSearchParams()
  const { data, error, refresh } = useRequest(
    async () => ({ projectId, rows: await call(viewApi.mine, { projectId }, { quiet: true }) }),
    { refreshDeps: [projectId], ready },
  )
  const rows = data?.projectId === projectId ? data.rows : undefined
  const tree = treeOf(rows ?? [])
  // One without cards that gathers others is no tab itself.
  const tabs = (rows ?? []).flatMap<Tab>((row) => {
    const isGroup = row.cardCount === 0 && tree.children(row.id).length > 0
    const label = tree
      .path(row.id)
      .map(({ name }) => name)
      .join(' · ')
    return isGroup ? [] : [{ ...row, label }]
  })

  const asked = params.get('view')
  const row = asked ? rows?.find(({ path }) => path === asked) : rows?.find((one) => one.isDefault)
  const within = row && tree.within(row.id)
  const chosen = within && tabs.find(({ id }) => within.has(id))
  const isElsewhere = !asked && !!chosen?.cardCount && ofOverview.some((key) => params.has(key))
  return {
    tabs,
    chosen: isElsewhere ? undefined : chosen,
    /** Asked for, but not there or not for the caller. */
    missing: asked && asked !== overview && rows && !row ? asked : undefined,
    isKnown: rows !== undefined || error !== undefined,
    error,
    refresh,
    choose: (path?: string) => setParams({ view: path ?? overview }),
  }
}
export type Views = ReturnType<typeof useViews>
