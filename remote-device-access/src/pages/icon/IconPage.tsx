import { Space, Tag, Tooltip } from 'antd'
import { iconVariantText } from '@iot/shared/contract/product/icon'
import { Icon } from '@iot/shared/contract/product/icon.schema'
import { iconApi } from '@iot/shared/contract/product/icon.api'
import { iconVariants } from '@iot/shared/contract/product/iconName'
import { toFileUrl } from '@iot/shared/contract/platform/siteAddress'
import { useBatch } from '@iot/shared/ui/batch'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { ExportButton } from '@iot/shared/ui/importExport'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { ListTable } from '@iot/shared/ui/listTable'
import { Panel } from '@iot/shared/ui/panel'
import { actionsColumn, createNameRenderer } from '@iot/shared/ui/right'
import { StatusBatch, statusColumn, statusOptions } from '@iot/shared/ui/status'
import { CreateButton } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'
import { usePickerOptions } from '@iot/shared/ui/useListed'
import * as styles from './icon.module.css'
import { UploadIconsButton } from './UploadIconsButton'

const IconForm = lazyDialog(() => import('./IconForm'))

const listDistinct = (texts: string[]) => [...new Set(texts)].filter(Boolean).sort()
const toSelectOptions = (texts?: string[]) => texts?.map((value) => ({ value, label: value }))

export function Component() {
  const list = usePage(iconApi.page, {
    empty: '还没有图标，点“新建图标”添加，或一次上传多个文件',
    create: iconApi.create,
  })
  const batch = useBatch(list)
  const [editing, setEditing, unsavedNotice] = useEditing<Icon | 'new'>('icon', '图标')
  const { data: allIcons, refresh: refreshAllIcons } = usePickerOptions(iconApi.list)
  const groups = allIcons && listDistinct(allIcons.map(({ group }) => group))
  const tags = allIcons && listDistinct(allIcons.flatMap(({ tags }) => tags))

  const remove = useRemoveRow(iconApi.remove, list.refresh)

  const columns = useColumns<Icon>(
    'icon',
    [
      {
        ...column(Icon, 'name'),
        ...list.sortable('name'),
        width: 150,
        ellipsis: true,
        render: createNameRenderer<Icon>(iconApi.update, setEditing),
      },
      {
        key: 'pictures',
        title: '图标',
        width: 170,
        render: (_, row) => (
          <Space size={4}>
            {iconVariants.map(
              (variant) =>
                row[variant] && (
                  <Tooltip key={variant} title={iconVariantText[variant]}>
                    <img
                      src={toFileUrl(row[variant])}
                      alt={`${row.name} ${iconVariantText[variant]}`}
                      className={styles.picture}
                    />
                  </Tooltip>
                ),
            )}
          </Space>
        ),
      },
      { ...column(Icon, 'code'), ...list.sortable('code'), width: 140, ellipsis: true },
      { ...column(Icon, 'group'), ...list.sortable('group'), width: 100, ellipsis: true },
      {
        ...column(Icon, 'tags'),
        width: 180,
        render: (tags: string[]) => tags.map((tag) => <Tag key={tag}>{tag}</Tag>),
      },
      { ...column(Icon, 'usedCount'), width: 80, align: 'right' },
      statusColumn<Icon>(),
      { ...column(Icon, 'updateTime'), ...list.sortable('updateTime'), width: 160 },
      actionsColumn<Icon>({ api: iconApi, edit: setEditing, remove }),
    ],
    ['updateTime'],
  )

  return (
    <Panel>
      {unsavedNotice}
      <ListTable<Icon>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '图标名称或编码'),
          choiceFilter('group', '分组', toSelectOptions(groups)),
          choiceFilter('tag', '标签', toSelectOptions(tags)),
          choiceFilter('status', '状态', statusOptions, 90),
        ]}
        selection={batch.selection}
        batchActions={<StatusBatch batch={batch} api={iconApi} />}
      >
        <UploadIconsButton batch={batch} group={list.filters.group ?? ''} />
        <ExportButton from={iconApi.exportRows} input={list.input} />
        <CreateButton to={iconApi.create} onClick={() => setEditing('new')} />
      </ListTable>
      {editing && (
        <IconForm
          icon={editing === 'new' ? undefined : editing}
          groups={groups ?? []}
          tags={tags ?? []}
          onSaved={(row) => (list.saved(row), refreshAllIcons())}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Panel>
  )
}
