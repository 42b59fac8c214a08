//! Plans: where every agent is after each step.

use wayfare_grid::grid::Cell;

use crate::instance::Instance;
use crate::roadmap::{Roadmap, Vertex};

/// Where every agent is after each step, from the starts to the goals.
///
/// Example: the front page of this crate's README.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// One entry a step, one vertex an agent. Never empty.
    pub(crate) steps: Vec<Vec<u32>>,
}

/// The cost of a plan.
///
/// ```
/// use wayfare::space::Grid;
/// use wayfare_mapf::{Instance, Lacam, Limits, Roadmap};
///
/// let grid = Grid::from_rows(&["...."])?;
/// let at = |x| grid.cell(x, 0).unwrap();
/// let instance = Instance::new(Roadmap::of(&grid.space()), &[at(0), at(3)], &[at(1), at(3)])?;
/// let plan = Lacam::new(&instance, 7, Limits::default()).finish()?;
/// let cost = plan.cost(&instance);
/// assert_eq!((cost.makespan, cost.sum_of_costs, cost.lower_bound), (1, 1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlanCost {
    /// The number of steps until the last agent is at its goal for good.
    pub makespan: u64,
    /// The sum over all agents of the steps until each is at its goal for good.
    pub sum_of_costs: u64,
    /// The sum of the lengths of the agents' shortest paths: a lower bound for every plan.
    pub lower_bound: u64,
}

impl PlanCost {
    /// Returns the sum of costs divided by its lower bound, 1 at best.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.sum_of_costs as f64 / self.lower_bound.max(1) as f64
    }
}

impl Plan {
    /// Returns a plan from elsewhere: where each agent is at first, and after each step. `None`
    /// where it has no entry, or an agent is at a cell that the roadmap lacks. It may have
    /// conflicts: see [`validate`](crate::validate).
    #[must_use]
    pub fn from_cells(roadmap: &Roadmap, steps: &[Vec<Cell>]) -> Option<Self> {
        let vertex = |&cell: &Cell| Some(roadmap.vertex(cell)?.0);
        let steps = steps.iter().map(|step| step.iter().map(vertex).collect());
        let steps: Vec<Vec<u32>> = steps.collect::<Option<_>>()?;
        (!steps.is_empty()).then_some(Self { steps })
    }

    /// Returns the number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len() - 1
    }

    /// Returns whether all agents begin at their goals.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the cell of each agent after `step` steps; its goal, once the plan is over.
    pub fn after<'p>(
        &'p self,
        instance: &'p Instance,
        step: usize,
    ) -> impl Iterator<Item = Cell> + 'p {
        let step = &self.steps[step.min(self.len())];
        step.iter().map(|&at| instance.roadmap.cell(Vertex(at)))
    }

    /// Returns its cost. O(agents · steps), and a search for each agent.
    #[must_use]
    pub fn cost(&self, instance: &Instance) -> PlanCost {
        let mut cost = PlanCost { makespan: 0, sum_of_costs: 0, lower_bound: 0 };
        for (agent, (&start, &goal)) in instance.starts.iter().zip(&instance.goals).enumerate() {
            let last_away = self.steps.iter().rposition(|step| step[agent] != goal);
            let steps = last_away.map_or(0, |step| step as u64 + 1);
            cost.makespan = cost.makespan.max(steps);
            cost.sum_of_costs += steps;
            let mut distances = crate::distances::Distances::new(&instance.roadmap, goal);
            cost.lower_bound += u64::from(distances.get(&instance.roadmap, start));
        }
        cost
    }

    /// Leaves out steps at the end after which nobody moves.
    pub(crate) fn trim(&mut self) {
        while let [.., before, last] = &self.steps[..]
            && before == last
        {
            self.steps.pop();
        }
    }
}
