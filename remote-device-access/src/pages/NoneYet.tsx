import { Typography } from 'antd'
import { Link } from 'react-router-dom'
import type { Endpoint } from '@iot/shared/contract/endpoint'
import { useCan } from '@iot/shared/session/can'

type NoneYetProps = {
  /** Display name of the rows that the select would offer. */
  of: string
  /** Page on which such rows are created; `to` is the call that creates them. */
  at: { title: string; path: string }
  to: Pick<Endpoint, 'permission' | 'owner'>
}

/**
 * Content of a select without options: a link to the page where they are created, or a hint to ask a user who may
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
