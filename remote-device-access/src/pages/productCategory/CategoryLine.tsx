import { Button, Space } from 'antd'
import { Link } from 'react-router-dom'
import { type ProductCategory, productCategoryApi } from '@iot/shared/contract/category'
import { paths } from '@iot/shared/screens/paths'
import { MenuIcon } from '@iot/shared/ui/menuIcon'
import { Right, RowActions } from '@iot/shared/ui/right'
import * as styles from './category.module.css'

export type NewCategory = Pick<ProductCategory, 'parentId'>

type CategoryLineProps = {
  category: ProductCategory
  siblings: readonly ProductCategory[]
  /** Nothing may stand below it. */
  isDeepest: boolean
  onStep: (by: 1 | -1) => void
  onEdit: (category: ProductCategory | NewCategory) => void
  onCopy: () => void
  onRemove: () => void
}

export function CategoryLine({
  category,
  siblings,
  isDeepest,
  onStep,
  onEdit,
  onCopy,
  onRemove,
}: CategoryLineProps) {
  const { id, name, code, icon, functionCount, productCount, modelVersion } = category
  const full = isDeepest && '已是最深一级'
  const more = [
    {
      label: '新建下级',
      to: productCategoryApi.create,
      unless: full,
      onClick: () => onEdit({ parentId: id }),
    },
    {
      label: '复制标准品类到此',
      to: productCategoryApi.copyStandard,
      unless: full,
      onClick: onCopy,
    },
    {
      label: '上移',
      to: productCategoryApi.move,
      unless: siblings[0]?.id === id && '已经是第一个',
      onClick: () => onStep(-1),
    },
    {
      label: '下移',
      to: productCategoryApi.move,
      unless: siblings.at(-1)?.id === id && '已经是最后一个',
      onClick: () => onStep(1),
    },
    { label: '删除', to: productCategoryApi.remove, danger: true, onClick: onRemove },
  ]
  return (
    <div className={styles.line}>
      <Space size={6} className={styles.name}>
        {icon && <MenuIcon name={icon} />}
        <Link to={`${paths.deviceAccess.productCategory()}/${id}`}>{name}</Link>
      </Space>
      <code className={styles.code} title={code}>
        {code}
      </code>
      <span className={styles.number}>{functionCount}</span>
      <span className={styles.number}>{productCount}</span>
      <span className={styles.published}>{modelVersion > 0 ? `版本 ${modelVersion}` : '—'}</span>
      <span className={styles.actions}>
        <RowActions name={name} more={more}>
          <Right to={productCategoryApi.update}>
            <Button type="link" size="small" onClick={() => onEdit(category)}>
              编辑
            </Button>
          </Right>
        </RowActions>
      </span>
    </div>
  )
}
