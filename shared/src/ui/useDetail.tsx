import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import Skeleton from 'antd/es/skeleton'
import Space from 'antd/es/space'
import Tabs from 'antd/es/tabs'
import Typography from 'antd/es/typography'
import type { TabsProps } from 'antd'
import { useEffect, useRef, type ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { call, CallError, ignoreHandled } from '../client/call'
import { responseCodes, type Endpoint, type Input, type Output } from '../contract/endpoint'
import { useFeedback } from './feedback'
import { LoadErrorAlert } from './usePage'

type Row = { id: string; version: number; updateBy: string }
type Options = { handles: number[] }
type DetailOptions = {
  /** The list is at this address, if it is not one level above the address of the record. */
  listPath?: string
}
const conflictOptions: Options = { handles: [responseCodes.version] }

/**
 * Loads one record with its own address. `queueChange` sends changes one after the other; after a conflict it repeats the
 * change on the current row, so that no work is lost.
 * @example const { row, change, frame } = useDetail(productApi.get, id); return frame(row && <…/>)
 */
export function useDetail<E extends Endpoint>(
  get: E,
  id: string,
  { listPath }: DetailOptions = {},
) {
  type DetailRow = Awaited<Output<E> & Row>
  const { message } = useFeedback()
  const navigate = useNavigate()
  const { data, error, loading, refresh, mutate } = useRequest(
    async () => (await call(get, { id } as Input<E>, { inline: true })) as DetailRow,
    { refreshDeps: [id] },
  )
  // The page is reused for another address; the former record must not be shown there.
  const row = data?.id === id ? data : undefined
  const newestRow = useRef<DetailRow>(undefined)
  useEffect(() => {
    newestRow.current = row
  }, [row])
  const pendingChange = useRef<Promise<unknown>>(Promise.resolve())

  const applyRow = (row: DetailRow) => {
    newestRow.current = row
    mutate(row)
    return row
  }
  async function sendChange(send: (row: DetailRow, options: Options) => Promise<Output<E>>) {
    if (!newestRow.current) return undefined
    try {
      return applyRow((await send(newestRow.current, conflictOptions)) as DetailRow)
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== responseCodes.version)
        return ignoreHandled(error)
      const { updateBy } = applyRow((error.data as { current: DetailRow }).current)
      const savedRow = applyRow((await send(newestRow.current!, { handles: [] })) as DetailRow)
      message.info(`${updateBy} 刚修改过，已在其修改之上保存`)
      return savedRow
    }
  }
  /** Resolves with the saved row, or with nothing if the change was refused, which has been shown already. */
  const queueChange = (send: (row: DetailRow, options: Options) => Promise<Output<E>>) => {
    const result = pendingChange.current.then(() => sendChange(send)).catch(ignoreHandled)
    pendingChange.current = result
    return result
  }

  const isDeleted = error instanceof CallError && error.code === responseCodes.missing
  /** Wraps the page in its states: loading, failed or deleted. */
  const renderFrame = (content: ReactNode) => {
    if (isDeleted && !row)
      return (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={error.message}>
          <Button
            onClick={() =>
              void (listPath ? navigate(listPath) : navigate('..', { relative: 'path' }))
            }
          >
            返回列表
          </Button>
        </Empty>
      )
    return (
      <>
        {error && <LoadErrorAlert why={error.message} hasRows={!!row} onRetry={refresh} />}
        {row ? content : loading && <Skeleton active title={false} paragraph={{ rows: 8 }} />}
      </>
    )
  }
  return { row, change: queueChange, take: applyRow, refresh, frame: renderFrame }
}

type DetailHeadProps = {
  name: string
  /** Technical name of the record, such as its key, if it has one. */
  code?: string
  /** Status of the record, shown after its name. */
  children?: ReactNode
  actions: ReactNode
}

/** Heading of a record's page with name, status and actions. */
export const DetailHead = ({ name, code, children, actions }: DetailHeadProps) => (
  <Flex justify="space-between" align="center" gap={16} wrap>
    <Space size={12} wrap>
      <strong style={{ fontSize: 16 }}>{name}</strong>
      {code !== undefined && (
        <Typography.Text code copyable type="secondary">
          {code}
        </Typography.Text>
      )}
      {children}
    </Space>
    <Space>{actions}</Space>
  </Flex>
)

type DetailColumnsProps = {
  main: ReactNode
  aside: ReactNode
  /** The columns stand below one another where these widths in pixels do not fit beside one another. */
  mainWidth?: number
  asideWidth?: number
}

/** Two columns of what belongs to a record, such as its activity, below its fields. */
export const DetailColumns = ({
  main,
  aside,
  mainWidth = 560,
  asideWidth = 400,
}: DetailColumnsProps) => (
  <Flex gap={32} wrap align="flex-start">
    <Flex vertical gap={24} style={{ flex: `1 1 ${mainWidth}px`, minWidth: 0 }}>
      {main}
    </Flex>
    <Flex vertical gap={24} style={{ flex: `1 1 ${asideWidth}px`, minWidth: 0 }}>
      {aside}
    </Flex>
  </Flex>
)

type DetailTabsProps = { items: NonNullable<TabsProps['items']> }

/** Tabs stored in the address as `?tab=`; the first one is the default. */
export function DetailTabs({ items }: DetailTabsProps) {
  const [params, setParams] = useSearchParams()
  const requestedTab = params.get('tab')
  const tab = items.find(({ key, disabled }) => key === requestedTab && !disabled) ?? items[0]!
  return (
    <Tabs
      activeKey={tab.key}
      onChange={(key) => setParams(key === items[0]!.key ? {} : { tab: key })}
      destroyOnHidden
      tabBarStyle={{ marginBottom: 16 }}
      items={items}
    />
  )
}
