import useRequest from 'ahooks/es/useRequest'
import { useSearchParams } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { createTree } from '@iot/shared/contract/tree'
import type { MyView } from '@iot/shared/contract/project/view.schema'
import { viewApi } from '@iot/shared/contract/project/view.api'

/** `?view` has this value for home without views; the path of a view cannot start with an underscore. */
const overview = '_overview'
/** A link that has one of these query parameters opens the overview and not the default view. */
const overviewParams = ['scope', 'group', 'floor', 'device', 'scene', 'wall']

export type ViewTab = MyView & { label: string }

/** Returns the user's views as tabs and the chosen one: `?view=path`, else the default view, else none. */
export function useViews(projectId: number, isReady: boolean) {
  const [params, setParams] = useSearchParams()
  const { data, error, refresh } = useRequest(
    async () => ({ projectId, rows: await call(viewApi.mine, { projectId }, { quiet: true }) }),
    { refreshDeps: [projectId], ready: isReady },
  )
  const rows = data?.projectId === projectId ? data.rows : undefined
  const tree = createTree(rows ?? [])
  // A view without cards that only contains other views is not a tab.
  const tabs = (rows ?? []).flatMap<ViewTab>((row) => {
    const isGroup = row.cardCount === 0 && tree.children(row.id).length > 0
    const label = tree
      .path(row.id)
      .map(({ name }) => name)
      .join(' · ')
    return isGroup ? [] : [{ ...row, label }]
  })

  const viewParam = params.get('view')
  const requestedView = viewParam
    ? rows?.find(({ path }) => path === viewParam)
    : rows?.find((row) => row.isDefault)
  const viewIds = requestedView && tree.within(requestedView.id)
  const matchedTab = viewIds && tabs.find(({ id }) => viewIds.has(id))
  const isOverviewLink =
    !viewParam && !!matchedTab?.cardCount && overviewParams.some((key) => params.has(key))
  return {
    tabs,
    selectedView: isOverviewLink ? undefined : matchedTab,
    /** The requested view does not exist, or the user may not see it. */
    missing: viewParam && viewParam !== overview && rows && !requestedView ? viewParam : undefined,
    isKnown: rows !== undefined || error !== undefined,
    error,
    refresh,
    choose: (path?: string) => setParams({ view: path ?? overview }),
  }
}
export type Views = ReturnType<typeof useViews>
