//! The list of all algorithms: names, types, and the spaces that a search by name is compiled for.

/// Calls a macro with all algorithms, in the order of the catalog.
///
/// A row is `Name = Type, [each space: Type]` or `Name = Type, [all spaces: Type]`. The first type
/// describes the algorithm. The second one makes the searches of [`AnySearch`](super::AnySearch),
/// compiled for each space, or once for all spaces with costs of a type. New rows come last:
/// snapshots store algorithms by their index in the list.
macro_rules! algorithms {
    ($then:ident) => {
        $then! {
            Auto = Auto, [each space: SharedJps];
            Bfs = Bfs, [all spaces: Bfs];
            Dijkstra = Dijkstra, [all spaces: Dijkstra];
            AStar = AStar<NamedHeuristic>, [each space: AStar<NamedHeuristic>];
            AStarList = AStarList<NamedHeuristic>, [all spaces: AStarList<NamedHeuristic>];
            WeightedAStar = WeightedAStar<NamedHeuristic>,
                [all spaces: WeightedAStar<NamedHeuristic>];
            Greedy = Greedy<NamedHeuristic>, [all spaces: Greedy<NamedHeuristic>];
            IdaStar = IdaStar, [all spaces: IdaStar];
            Bidirectional = Bidirectional, [all spaces: Bidirectional];
            Jps = Jps, [each space: SharedJps];
            LazyThetaStar = LazyThetaStar, [all spaces: LazyThetaStar];
            Vector3Distance = Vector3Distance, [all spaces: Vector3Distance];
            ManhattanDistance = ManhattanDistance, [all spaces: ManhattanDistance];
            CostOfMovement = CostOfMovement, [all spaces: CostOfMovement];
            InverseCostOfMovement = InverseCostOfMovement, [all spaces: InverseCostOfMovement];
            HScore = HScore, [all spaces: HScore];
        }
    };
}

pub(super) use algorithms;
