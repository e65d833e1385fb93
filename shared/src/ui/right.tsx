import MoreOutlined from '@ant-design/icons/MoreOutlined'
import Button from 'antd/es/button'
import Space from 'antd/es/space'
import Tooltip from 'antd/es/tooltip'
import type { TableColumnType } from 'antd'
import { cloneElement, type ReactElement, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { Endpoint } from '../contract/endpoint'
import { platformOnlyReason } from '../contract/access/ownership'
import { useCan } from '../session/can'
import { ButtonMenu } from './buttonMenu'
import * as styles from './right.module.css'

export type GuardedCall = Pick<Endpoint, 'permission' | 'title' | 'owner'>

/** Returns why a call is disabled: a missing permission or data scope, or a reason of the record itself. */
export function useRefusalReason() {
  const can = useCan()
  return (to: GuardedCall | undefined, recordReason?: string | false) => {
    if (to && !can({ permission: to.permission })) return `缺少权限：${to.title}`
    return to && !can({ permission: to.permission, owner: to.owner })
      ? platformOnlyReason
      : recordReason || undefined
  }
}

type CanProps = {
  to: GuardedCall
  /** Explains why this record forbids the call. */
  unless?: string | false
  children: ReactElement<{ disabled?: boolean }>
}

/**
 * Enables a button only with the permission of its call; otherwise it shows the reason.
 * @example <Can to={brandApi.create}><Button onClick={create}>新建品牌</Button></Can>
 */
export const Can = ({ to, unless: recordReason, children }: CanProps) => (
  <DisabledWithReason why={useRefusalReason()(to, recordReason)}>{children}</DisabledWithReason>
)

type DisabledWithReasonProps = { why: string | false | undefined; children: CanProps['children'] }

/** Disables a button while there is a reason, which is available to touch, pointer and keyboard. */
export function DisabledWithReason({ why: reason, children }: DisabledWithReasonProps) {
  if (!reason) return children
  // A disabled button receives neither focus nor pointer events, so the element around it shows the reason.
  return (
    <Tooltip title={reason}>
      <span tabIndex={0} aria-label={reason} style={{ cursor: 'not-allowed' }}>
        {cloneElement(children, { disabled: true })}
      </span>
    </Tooltip>
  )
}

/** An action on one row or on the selected rows. */
export type RowAction = {
  label: string
  to: GuardedCall
  /** Explains why this record forbids the action. */
  unless?: string | false
  danger?: boolean
  onClick: () => unknown
}
type RowActionsProps = { name: string; children?: ReactNode; more?: RowAction[] }

/**
 * Actions of one row: at most one link, the others in a menu behind ⋮. Its text is aligned with the column title.
 * @example <RowActions name={brand.name} more={[{ label: '删除', to: brandApi.remove, danger: true, onClick: () =>
 * remove(brand) }]}><Can to={brandApi.update}>…</Can></RowActions>
 */
export function RowActions({ name, children, more = [] }: RowActionsProps) {
  const refusal = useRefusalReason()
  const entries = more.map(({ to, unless: recordReason, ...entry }) => ({
    ...entry,
    why: refusal(to, recordReason),
  }))
  return (
    <Space size={0} style={{ marginInlineStart: -7 }}>
      {children}
      {entries.length > 0 && (
        <ButtonMenu entries={entries}>
          <Button
            type="text"
            size="small"
            icon={<MoreOutlined />}
            aria-label={`${name}的更多操作`}
          />
        </ButtonMenu>
      )}
    </Space>
  )
}

type NameProps = { to: Pick<GuardedCall, 'permission' | 'owner'>; name: string; onOpen: () => void }

/** A text that takes at most two lines of its cell. */
const TwoLines = ({ text, title }: { text: string; title?: string }) => (
  <span className={styles.twoLines} title={title}>
    {text}
  </span>
)

/** Name of a row, which opens the row for users who may change it. */
export const RowName = ({ to, name, onOpen }: NameProps) =>
  useCan()(to) ? (
    <button type="button" className={styles.name} title={name} onClick={onOpen}>
      <TwoLines text={name} />
    </button>
  ) : (
    <TwoLines text={name} title={name} />
  )

/**
 * Renders the name column of a list.
 * @example { ...column(Brand, 'name'), render: createNameRenderer(brandApi.update, setEditing) }
 */
export const createNameRenderer =
  <T extends { name: string }>(to: NameProps['to'], open: (row: T) => void) =>
  (_: unknown, row: T) => <RowName to={to} name={row.name} onOpen={() => open(row)} />

type RowLinkProps = { to: GuardedCall; at: string; name: string }

/**
 * Links the name of a row to its own page, for users who may read it.
 * @example <RowLink to={productApi.get} at={`${paths.deviceAccess.config.product()}/${id}`} name={name} />
 */
export function RowLink({ to, at: path, name }: RowLinkProps) {
  const refusal = useRefusalReason()(to)
  return refusal ? (
    <TwoLines text={name} title={refusal} />
  ) : (
    <Link to={path} title={name}>
      <TwoLines text={name} />
    </Link>
  )
}

type ActionsOptions<T> = {
  api: { update: Endpoint; remove: Endpoint }
  edit: (row: T) => void
  remove: (row: T) => void
  /** Returns why this record may not be removed. */
  unless?: (row: T) => string | false
  more?: (row: T) => RowAction[]
}

/**
 * Last column of a list: 编辑 as a link, 删除 behind ⋮.
 * @example actionsColumn<Brand>({ api: brandApi, edit: setEditing, remove })
 */
export const actionsColumn = <T extends { name: string }>({
  api,
  edit,
  remove,
  unless,
  more,
}: ActionsOptions<T>): TableColumnType<T> => ({
  title: <>操作</>,
  width: 94,
  fixed: 'right',
  render: (_, row) => (
    <RowActions
      name={row.name}
      more={[
        ...(more?.(row) ?? []),
        {
          label: '删除',
          to: api.remove,
          unless: unless?.(row),
          danger: true,
          onClick: () => remove(row),
        },
      ]}
    >
      <Can to={api.update}>
        <Button type="link" size="small" onClick={() => edit(row)}>
          编辑
        </Button>
      </Can>
    </RowActions>
  ),
})

/** @deprecated Use {@link GuardedCall}; kept for remotes that were built before. */
export type Asked = GuardedCall

/** @deprecated Use {@link useRefusalReason}; kept for remotes that were built before. */
export const useRefusal = useRefusalReason

/** @deprecated Use {@link Can}; kept for remotes that were built before. */
export const Right = Can

/** @deprecated Use {@link DisabledWithReason}; kept for remotes that were built before. */
export const Because = DisabledWithReason

/** @deprecated Use {@link RowAction}; kept for remotes that were built before. */
export type More = RowAction

/** @deprecated Use {@link createNameRenderer}; kept for remotes that were built before. */
export const opens = createNameRenderer
