import { useRequest } from 'ahooks'
import { useSearchParams } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { treeOf } from '@iot/shared/contract/tree'
import { viewApi, type MyView } from '@iot/shared/contract/view'

/** `?view` has this value for home without views; the path of a view cannot start with an underscore. */
const overview = '_overview'
/** A link that has one of these query parameters opens the overview and not the default view. */
const ofOverview = ['scope', 'group', 'floor', 'device', 'scene', 'wall']

export type Tab = MyView & { label: string }

/** Returns the user's views as tabs and the chosen one: `?view=path`, else the default view, else none. */
export function useViews(projectId: number, ready: boolean) {
  const [params, setParams] = useSearchParams()
  const { data, error, refresh } = useRequest(
    async () => ({ projectId, rows: await call(viewApi.mine, { projectId }, { quiet: true }) }),
    { refreshDeps: [projectId], ready },
  )
  const rows = data?.projectId === projectId ? data.rows : undefined
  const tree = treeOf(rows ?? [])
  // A view without cards that only contains other views is not a tab.
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
    /** The requested view does not exist, or the user may not see it. */
    missing: asked && asked !== overview && rows && !row ? asked : undefined,
    isKnown: rows !== undefined || error !== undefined,
    error,
    refresh,
    choose: (path?: string) => setParams({ view: path ?? overview }),
  }
}
export type Views = ReturnType<typeof useViews>
