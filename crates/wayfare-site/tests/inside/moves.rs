//! Paths told in moves.

use wayfare::space::Action;
use wayfare::space::voxel::BlockPosition;
use wayfare_site::Move;
use wayfare_site::inside::moves::tell;

#[test]
fn a_path_is_told_in_moves() {
    let places = [
        ([5, 1, 5], Action::Walk),
        ([5, 1, 4], Action::Walk),
        ([5, 1, 3], Action::Walk),
        ([5, 2, 2], Action::Jump),
        ([8, 2, 2], Action::Jump),
        ([9, 0, 2], Action::Fall),
        ([10, 0, 3], Action::Swim),
        ([11, 0, 4], Action::Swim),
        ([11, 1, 4], Action::Climb),
        ([11, 2, 4], Action::Climb),
        ([10, 3, 4], Action::Fly),
    ];
    let path = places.map(|([x, y, z], action)| (BlockPosition::new(x, y, z), action));
    let told: Vec<String> = tell(path.into_iter()).iter().map(Move::to_string).collect();
    assert_eq!(
        told.join(", "),
        "walk north 2, jump up north, jump east over 2, drop 2 east, swim south-east 2, climb up 2, fly up west"
    );
    assert!(tell(std::iter::empty()).is_empty());
}
