import Button from 'antd/es/button'
import Space from 'antd/es/space'
import Tag from 'antd/es/tag'
import Tooltip from 'antd/es/tooltip'
import { iconVariantText, iconTitles } from '@iot/shared/contract/product/icon'
import type { Icon } from '@iot/shared/contract/product/icon.schema'
import { iconApi } from '@iot/shared/contract/product/icon.api'
import { iconVariants } from '@iot/shared/contract/product/iconName'
import { toFileUrl } from '@iot/shared/contract/platform/siteAddress'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { lazyDialog, lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { RecordList, useRecordList } from '@iot/shared/ui/recordList'
import { actionsColumn, createNameRenderer } from '@iot/shared/ui/right'
import { statusColumn, statusOptions } from '@iot/shared/ui/status'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePickerOptions } from '@iot/shared/ui/useListed'
import * as styles from './icon.module.css'

const IconForm = lazyDialog(() => import('./IconForm'))
const UploadIconsButton = lazyPart(
  () => import('./UploadIconsButton'),
  () => <Button disabled>上传多个</Button>,
)

const listDistinct = (texts: string[]) => [...new Set(texts)].filter(Boolean).sort()
const toSelectOptions = (texts?: string[]) => texts?.map((value) => ({ value, label: value }))

export function Component() {
  const list = useRecordList(iconApi, {
    draft: 'icon',
    title: '图标',
    empty: '还没有图标，点“新建图标”添加，或一次上传多个文件',
  })
  const { data: allIcons, refresh: refreshAllIcons } = usePickerOptions(iconApi.list)
  const groups = allIcons && listDistinct(allIcons.map(({ group }) => group))
  const tags = allIcons && listDistinct(allIcons.flatMap(({ tags }) => tags))

  const columns = useColumns<Icon>(
    'icon',
    [
      {
        ...column(iconTitles, 'name'),
        ...list.sortable('name'),
        width: 150,
        ellipsis: true,
        render: createNameRenderer<Icon>(iconApi.update, list.edit),
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
      { ...column(iconTitles, 'code'), ...list.sortable('code'), width: 140, ellipsis: true },
      { ...column(iconTitles, 'group'), ...list.sortable('group'), width: 100, ellipsis: true },
      {
        ...column(iconTitles, 'tags'),
        width: 180,
        render: (tags: string[]) => tags.map((tag) => <Tag key={tag}>{tag}</Tag>),
      },
      { ...column(iconTitles, 'usedCount'), width: 80, align: 'right' },
      statusColumn<Icon>(),
      { ...column(iconTitles, 'updateTime'), ...list.sortable('updateTime'), width: 160 },
      actionsColumn<Icon>(list),
    ],
    ['updateTime'],
  )

  return (
    <Panel>
      <RecordList<Icon>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '图标名称或编码'),
          choiceFilter('group', '分组', toSelectOptions(groups)),
          choiceFilter('tag', '标签', toSelectOptions(tags)),
          choiceFilter('status', '状态', statusOptions, 90),
        ]}
        form={(icon) => (
          <IconForm
            icon={icon}
            groups={groups ?? []}
            tags={tags ?? []}
            onSaved={(row) => (list.saved(row), refreshAllIcons())}
            onClose={list.close}
          />
        )}
      >
        <UploadIconsButton batch={list.batch} group={list.filters.group ?? ''} />
      </RecordList>
    </Panel>
  )
}
