import Typography from 'antd/es/typography'
import { Link } from 'react-router-dom'
import type { Endpoint } from '@iot/shared/contract/endpoint'
import { useCan } from '@iot/shared/session/can'

type NoOptionsHintProps = {
  /** The select would offer rows of this display name. */
  rowLabel: string
  /** Rows are created on this page, by `createEndpoint`. */
  page: { title: string; path: string }
  createEndpoint: Pick<Endpoint, 'permission' | 'owner'>
}

/**
 * Fills a select without options with a link to the page where they are created, or with a hint to ask a user who may
 * create them. The form stays open.
 */
export function NoOptionsHint({ rowLabel, page, createEndpoint }: NoOptionsHintProps) {
  const canCreate = useCan()(createEndpoint)
  return (
    <Typography.Text type="secondary">
      没有可选的{rowLabel}，
      {canCreate ? (
        <>
          可到“
          <Link to={page.path} target="_blank" rel="noreferrer">
            {page.title}
          </Link>
          ”新建
        </>
      ) : (
        '请联系管理员添加'
      )}
    </Typography.Text>
  )
}
