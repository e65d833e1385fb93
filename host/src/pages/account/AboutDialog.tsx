import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Descriptions from 'antd/es/descriptions'
import Flex from 'antd/es/flex'
import Input from 'antd/es/input'
import Modal from 'antd/es/modal'
import Skeleton from 'antd/es/skeleton'
import Table from 'antd/es/table'
import Typography from 'antd/es/typography'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { formatPageTime } from '@iot/shared/client/zone'
import type { BuildInfo } from '@iot/shared/contract/platform/about.schema'
import { aboutApi } from '@iot/shared/contract/platform/about.api'
import { baseConfigAtom } from '@iot/shared/session/baseConfig'
import { systemAtom } from '@iot/shared/session/system'

const notBuilt = <Typography.Text type="secondary">从源码运行，没有构建</Typography.Text>

/** Shows version, commit, build time and the licences of all shipped packages. */
export default function AboutDialog({ onClose }: { onClose: () => void }) {
  const { name, slogon } = { ...useAtomValue(systemAtom), ...useAtomValue(baseConfigAtom) }
  const { data, error, refresh } = useRequest(() => call(aboutApi.read, {}, { quiet: true }))
  return (
    <Modal open title="关于" width={560} footer={null} onCancel={onClose}>
      {error && (
        <Alert
          type="error"
          showIcon
          title={error.message}
          action={
            <Button size="small" onClick={refresh}>
              重试
            </Button>
          }
        />
      )}
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 8 }} />}
      {data && (
        <>
          <Descriptions
            column={1}
            size="small"
            items={[
              { key: 'platform', label: '平台', children: name },
              ...(slogon ? [{ key: 'slogon', label: '标语', children: slogon }] : []),
              { key: 'version', label: '版本', children: data.version },
              {
                key: 'commit',
                label: '提交',
                children: data.build ? formatCommit(data.build.commit) : notBuilt,
              },
              {
                key: 'time',
                label: '构建时间',
                children: data.build
                  ? formatPageTime(data.build.buildTime, 'YYYY-MM-DD HH:mm')
                  : notBuilt,
              },
              { key: 'licence', label: '许可证', children: 'MIT' },
            ]}
          />
          {data.build && <Licences packages={data.build.packages} />}
        </>
      )}
    </Modal>
  )
}

const formatCommit = (commit: string | null) =>
  commit === null ? (
    <Typography.Text type="secondary">未知，不是从 Git 仓库构建</Typography.Text>
  ) : (
    <Typography.Text code copyable type="secondary">
      {commit}
    </Typography.Text>
  )

function Licences({ packages }: Pick<BuildInfo, 'packages'>) {
  const [text, setText] = useState('')
  const searchText = text.trim().toLowerCase()
  return (
    <Flex vertical gap={8} style={{ marginTop: 12 }}>
      <Flex justify="space-between" align="center" gap={8} wrap>
        <strong>第三方软件（{packages.length} 个）</strong>
        <Input
          allowClear
          placeholder="搜索名称或许可证"
          aria-label="搜索名称或许可证"
          style={{ width: 200 }}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Flex>
      <Table
        size="small"
        rowKey={({ name, version }) => `${name}@${version}`}
        dataSource={packages.filter(({ name, licence }) =>
          `${name} ${licence}`.toLowerCase().includes(searchText),
        )}
        locale={{ emptyText: '没有找到' }}
        pagination={{ defaultPageSize: 8, showSizeChanger: false, size: 'small' }}
        columns={[
          {
            title: '名称和版本',
            render: (_, { name, version }) => (
              <span style={{ overflowWrap: 'anywhere' }}>
                {name} <Typography.Text type="secondary">{version}</Typography.Text>
              </span>
            ),
          },
          {
            title: '许可证',
            dataIndex: 'licence',
            width: 132,
            render: (licence: string) =>
              licence || <Typography.Text type="secondary">没有写明</Typography.Text>,
          },
        ]}
      />
    </Flex>
  )
}
