import useRequest from 'ahooks/es/useRequest'
import Input from 'antd/es/input'
import Table from 'antd/es/table'
import type { TableProps } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import {
  dictionaryText,
  type maintainedDictionaries,
} from '@iot/shared/contract/platform/dictionary'
import type { DictionaryConfig } from '@iot/shared/contract/platform/dictionary.schema'
import { dictionaryApi } from '@iot/shared/contract/platform/dictionary.api'
import { paths } from '@iot/shared/screens/paths'
import { Panel } from '@iot/shared/ui/panel'
import { useComposedText } from '@iot/shared/ui/composition'
import { LoadErrorAlert, buildEmptyLocale } from '@iot/shared/ui/usePage'

type DictionaryOption = DictionaryConfig['configLists'][number]

/** Screens that maintain the dictionaries whose entries are rows. */
const maintenance: Record<(typeof maintainedDictionaries)[number], { at: string; title: string }> =
  {
    protocol: { at: paths.deviceAccess.config.communicationProtocol(), title: '通信协议' },
    mapEngineeringVersion: { at: paths.system.mapEngineering(), title: '地图工程' },
  }

const columns: TableProps<DictionaryConfig>['columns'] = [
  {
    title: '字典',
    dataIndex: 'type',
    width: 160,
    render: (type: DictionaryConfig['type']) => dictionaryText[type],
  },
  {
    title: '标识',
    key: 'code',
    width: 200,
    render: (_, { type }) => <code>{type}</code>,
  },
  {
    title: '项数',
    key: 'count',
    width: 80,
    align: 'right',
    render: (_, { configLists }) => configLists.length,
  },
  {
    title: '维护',
    key: 'maintenance',
    width: 240,
    render: (_, { type }) => <Maintenance type={type} />,
  },
]

const optionColumns: TableProps<DictionaryOption>['columns'] = [
  { title: '编码', dataIndex: 'code', width: 200, render: (code: string) => <code>{code}</code> },
  { title: '说明', dataIndex: 'description' },
]

function Maintenance({ type }: Pick<DictionaryConfig, 'type'>) {
  if (!(type in maintenance)) return '标准规定，不能修改'
  const { at: address, title } = maintenance[type as keyof typeof maintenance]
  return <Link to={address}>在“{title}”里维护</Link>
}

/** Keeps the dictionaries whose name matches whole, and of the others the matching entries. */
function filterDictionaries(dictionaries: DictionaryConfig[], searchText: string) {
  const includesText = (text: string) => text.toLowerCase().includes(searchText.toLowerCase())
  return dictionaries.flatMap((dictionary) => {
    const { type, configLists: options } = dictionary
    if (includesText(type) || includesText(dictionaryText[type])) return dictionary
    const configLists = options.filter(
      ({ code, description }) => includesText(code) || includesText(description),
    )
    return configLists.length > 0 ? { ...dictionary, configLists } : []
  })
}

/** Shows the vocabularies of the platform, and leads to the screens that maintain those that are rows. */
export function Component() {
  const [searchText, setSearchText] = useState('')
  const { data, error, refresh } = useRequest(() => call(dictionaryApi.list, {}, { inline: true }))
  const dictionaries = filterDictionaries(data ?? [], useComposedText(searchText).trim())
  return (
    <Panel>
      <Input.Search
        aria-label="搜索字典"
        placeholder="字典、编码或说明"
        allowClear
        style={{ maxWidth: 280 }}
        onChange={({ target }) => setSearchText(target.value)}
      />
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table<DictionaryConfig>
        rowKey="type"
        loading={!data && !error}
        dataSource={dictionaries}
        columns={columns}
        locale={buildEmptyLocale(data, searchText ? '没有符合条件的字典' : undefined)}
        pagination={false}
        scroll={{ x: 'max-content' }}
        expandable={{
          expandRowByClick: true,
          rowExpandable: ({ configLists }) => configLists.length > 0,
          expandedRowRender: ({ configLists }) => (
            <Table<DictionaryOption>
              size="small"
              rowKey="code"
              dataSource={configLists}
              columns={optionColumns}
              pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
            />
          ),
        }}
      />
    </Panel>
  )
}
