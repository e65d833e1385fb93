import { Typography } from 'antd'
import { Link } from 'react-router-dom'
import type { Endpoint } from '@iot/shared/contract/endpoint'
import { useCan } from '@iot/shared/session/can'

type NoneYetProps = {
  /** The select would offer rows of this display name. */
  of: string
  /** Rows are created on this page, by the call in `to`. */
  at: { title: string; path: string }
  to: Pick<Endpoint, 'permission' | 'owner'>
}

/**
 * Fills a select without options with a link to the page where they are created, or with a hint to ask a user who may
 * create them. The form stays open.
 */
export function NoneYet({ of, at, to }: NoneYetProps) {
  const may = useCan()(to)
  return (
    <Typography.Text type="secondary">
      没有可选的{of}，
      {may ? (
        <>
          可到“
          <Link to={at.path} target="_blank" rel="noreferrer">
            {at.title}
          </Link>
          ”新建
        </>
      ) : (
        '请联系管理员添加'
      )}
    </Typography.Text>
  )
}
