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
 * One record with an address of its own. `change` sends what is made of the row, one after the other; where a colleague
 * was first it is made once more of the row as it then stands, so that neither's work is lost.
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
  // Another address of the same page: what was read for the former is not shown under it.
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
  /** Answers the saved row; nothing where it was refused, which has been said. */
  const change = (send: (row: R, options: Options) => Promise<Output<E>>) => {
    const next = before.current.then(() => write(send)).catch(quietly)
    before.current = next
    return next
  }

  const isGone = error instanceof CallError && error.code === codes.missing
  /** The page around the row: its shape while it loads, why it failed, or that it is gone. */
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
  /** What machines call it. */
  code: string
  /** How it stands, behind its name. */
  children?: ReactNode
  actions: ReactNode
}

/** The first line of a record's page: what it is, how it stands, and what can be done with it. */
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

/** Tabs that stand in the address as `?tab=`; the first is open without. */
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
