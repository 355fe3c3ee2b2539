//! Runtime masks: inserted, edited, or drawn under a transform.

pub(crate) mod mask_store;
pub(crate) mod transformed_masks;
