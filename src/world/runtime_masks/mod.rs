//! Runtime masks: inserted, edited, or drawn under a transform.

pub(crate) mod mask_store;
mod shown_masks;
pub(crate) mod transformed_masks;
