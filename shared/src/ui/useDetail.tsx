import { useRequest } from 'ahooks'
import { App, Button, Empty, Flex, Skeleton, Space, Tabs, Typography, type TabsProps } from 'antd'
import { useEffect, useRef, type ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { call, CallError } from '../client/call'
import { codes, type Endpoint, type Input, type Output } from '../contract/endpoint'
import { quietly } from './batch'
import { FailedLine } from './usePage'

type Row = { id: string; version: number; updateBy: string }
type Options = { handles: number[] }
const handled: Options = { handles: [codes.version] }

/**
 * Loads one record with its own address. `change` sends changes one after the other; after a conflict it repeats the
 * change on the current row, so that no work is lost.
 * @example const { row, change, frame } = useDetail(productApi.get, id); return frame(row && <…/>)
 */
export function useDetail<E extends Endpoint>(get: E, id: string) {
  type R = Awaited<Output<E> & Row>
  const { message } = App.useApp()
  const navigate = useNavigate()
  const { data, error, loading, refresh, mutate } = useRequest(
    async () => (await call(get, { id } as Input<E>, { inline: true })) as R,
    { refreshDeps: [id] },
  )
  // The page is reused for another address; the former record must not be shown there.
  const row = data?.id === id ? data : undefined
  const newest = useRef<R>(undefined)
  useEffect(() => {
    newest.current = row
  }, [row])
  const before = useRef<Promise<unknown>>(Promise.resolve())

  const take = (row: R) => {
    newest.current = row
    mutate(row)
    return row
  }
  async function write(send: (row: R, options: Options) => Promise<Output<E>>) {
    if (!newest.current) return undefined
    try {
      return take((await send(newest.current, handled)) as R)
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== codes.version) return quietly(error)
      const { updateBy } = take((error.data as { current: R }).current)
      const saved = take((await send(newest.current!, { handles: [] })) as R)
      message.info(`${updateBy} 刚修改过，已在其修改之上保存`)
      return saved
    }
  }
  /** Resolves with the saved row, or with nothing if the change was refused, which has been shown already. */
  const change = (send: (row: R, options: Options) => Promise<Output<E>>) => {
    const next = before.current.then(() => write(send)).catch(quietly)
    before.current = next
    return next
  }

  const isGone = error instanceof CallError && error.code === codes.missing
  /** Wraps the page in its states: loading, failed or deleted. */
  const frame = (content: ReactNode) => {
    if (isGone && !row)
      return (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={error.message}>
          <Button onClick={() => void navigate('..', { relative: 'path' })}>返回列表</Button>
        </Empty>
      )
    return (
      <>
        {error && <FailedLine why={error.message} hasRows={!!row} onRetry={refresh} />}
        {row ? content : loading && <Skeleton active title={false} paragraph={{ rows: 8 }} />}
      </>
    )
  }
  return { row, change, take, refresh, frame }
}

type DetailHeadProps = {
  name: string
  /** Technical name of the record, such as its key. */
  code: string
  /** Status of the record, shown after its name. */
  children?: ReactNode
  actions: ReactNode
}

/** Heading of a record's page with name, status and actions. */
export const DetailHead = ({ name, code, children, actions }: DetailHeadProps) => (
  <Flex justify="space-between" align="center" gap={16} wrap>
    <Space size={12} wrap>
      <strong style={{ fontSize: 16 }}>{name}</strong>
      <Typography.Text code copyable type="secondary">
        {code}
      </Typography.Text>
      {children}
    </Space>
    <Space>{actions}</Space>
  </Flex>
)

type DetailTabsProps = { items: NonNullable<TabsProps['items']> }

/** Tabs stored in the address as `?tab=`; the first one is the default. */
export function DetailTabs({ items }: DetailTabsProps) {
  const [params, setParams] = useSearchParams()
  const asked = params.get('tab')
  const tab = items.find(({ key, disabled }) => key === asked && !disabled) ?? items[0]!
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
